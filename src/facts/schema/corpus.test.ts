import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { checkObject } from './check.ts';
import { pathText } from '../fieldpath.ts';

interface Case {
  readonly it: string;
  readonly kind: string;
  readonly spec: unknown;
  /** The field below which it is refused; an accepted object has none. */
  readonly refused?: string;
}

const cases = parse(readFileSync(new URL('corpus.yaml', import.meta.url), 'utf8')) as readonly Case[];

describe('objects of the Gateway API', () => {
  for (const { it: sentence, kind, spec, refused } of cases) {
    it(`${kind}: ${sentence}`, () => {
      const metadata = kind === 'GatewayClass' ? { name: 'a' } : { name: 'a', namespace: 'a' };
      const object = { apiVersion: 'gateway.networking.k8s.io/v1', kind, metadata, spec };
      const { issues, notChecked } = checkObject(object, { channel: 'experimental' });
      assert.deepEqual(notChecked, []);
      const places = issues.map((issue) => pathText(issue.path));
      if (refused === undefined) assert.deepEqual(issues, []);
      else
        assert.ok(
          places.some((place) => place.startsWith(refused)),
          `refused at ${places.join(', ') || 'no place'}`,
        );
    });
  }
});
