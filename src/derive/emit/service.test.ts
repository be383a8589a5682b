import assert from 'node:assert/strict';
import type { KubeObject } from '../../facts/object.ts';
import type { Plane } from '../plane.ts';
import { serviceName } from './objectnames.ts';
import { planeObjects } from './planeobjects.ts';
import { testPlane } from './testplane.test.ts';

const service = { type: 'ClusterIP', annotations: {} } as const;
const specOf = <T>(plane: Plane, kind: string): T => (found(plane, kind) ?? assert.fail())['spec'] as T;
const found = (plane: Plane, kind: string): KubeObject | undefined =>
  planeObjects(plane).objects.find((object) => object.kind === kind);

describe('the Service of a data plane', () => {
  it('leads each listener port to its door, which the NetworkPolicy opens to everybody', () => {
    const plane = testPlane({ service });
    const { ports } = specOf<{ ports: Record<string, unknown>[] }>(plane, 'Service');
    assert.deepEqual(
      ports.map(({ name, port, targetPort }) => [name, port, targetPort]),
      [
        ['http-80', 80, 10_080],
        ['https-443', 443, 10_443],
      ],
    );
    const { ingress } = specOf<{ ingress: readonly unknown[] }>(plane, 'NetworkPolicy');
    assert.deepEqual(ingress.at(-1), {
      ports: [
        { port: 10_080, protocol: 'TCP' },
        { port: 10_443, protocol: 'TCP' },
      ],
    });
  });

  it('is not there unless asked for, and then nothing is open', () => {
    assert.equal(found(testPlane(), 'Service'), undefined);
    const { ingress } = specOf<{ ingress: readonly { from?: unknown }[] }>(testPlane(), 'NetworkPolicy');
    assert.ok(ingress.every(({ from }) => from !== undefined));
  });

  it('rolls no pod when ports change', () => {
    const plane = testPlane({ service });
    const more: Plane = { ...plane, ports: [{ port: 8080, protocol: 'HTTP' }] };
    assert.deepEqual(found(more, 'Deployment'), found(plane, 'Deployment'));
  });

  it('has a name that is a DNS label, and no other plane’s', () => {
    assert.equal(serviceName({ name: 'web' }), 'gateway-web');
    const names = ['a.b', 'a-b', 'a..b', `${'x'.repeat(252)}y`, `${'x'.repeat(252)}z`].map((name) =>
      serviceName({ name }),
    );
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
  });
});
