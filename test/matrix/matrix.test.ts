import assert from 'node:assert/strict';
import { compile } from '../../src/proxy/match/compile.ts';
import { linearMatcher } from '../../src/proxy/match/linear.ts';
import { decode } from '../../src/table/decode.ts';
import { encodeTable } from '../../src/table/encode.ts';
import { cases } from './cases.ts';
import { requestOf, tableOf } from './tables.ts';

const matchers = { linear: linearMatcher, indexed: compile };

describe('router cases', () => {
  for (const { title, hosts, listeners, requests } of cases) {
    const table = decode(encodeTable(tableOf(hosts, listeners)));
    for (const [kind, matcherOf] of Object.entries(matchers)) {
      it(`${title} (${kind})`, () => {
        const matcher = matcherOf(table);
        const answers = requests.map(([request]) => matcher.match(requestOf(request))?.ruleId ?? 'none');
        assert.deepEqual(
          requests.map(([request], index) => [request, answers[index]]),
          requests.map(([request, expected]) => [request, expected]),
        );
      });
    }
  }
});
