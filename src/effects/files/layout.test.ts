import assert from 'node:assert/strict';
import type { PlaneResult, StatusClaim } from '../../derive/results.ts';
import type { KubeObject } from '../../facts/object.ts';
import { layout } from './layout.ts';

const config = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** A plane as far as a layout looks at it. */
function plane(id: string, objects: readonly KubeObject[]): [string, PlaneResult] {
  const result = {
    plane: { id, gateways: [id], gatewayClassName: 'cloudflare' },
    objects,
    table: { text: '{\n"schema":"1.0"\n}\n', hash: '' },
    cloudflare: { tunnel: { name: 'gateway-web' } },
  };
  return [id, result as unknown as PlaneResult];
}

const claim = (kind: string, key: string, status: Record<string, unknown> = {}): [string, StatusClaim] => {
  const [namespace, name] = key.includes('/') ? key.split('/') : [undefined, key];
  return [
    `${kind}/${key}`,
    { apiVersion: 'x/v1', kind, ...(namespace === undefined ? {} : { namespace }), name: name ?? '', status },
  ];
};

const statusesOf = (files: ReadonlyMap<string, string>, path: string): string[] =>
  (JSON.parse(files.get(path) ?? '{"statuses":[]}') as { statuses: { kind: string; name: string }[] }).statuses.map(
    ({ kind, name }) => `${kind} ${name}`,
  );

describe('the layout of a rendered directory', () => {
  it('gives each Gateway a folder with one file per object, a kustomization and files for review', () => {
    const files = layout({
      planes: new Map([plane('shop/web', [config('gateway-web')])]),
      statuses: new Map([claim('Gateway', 'shop/web')]),
    });
    assert.deepEqual([...files.keys()].toSorted(), [
      'kustomization.yaml',
      'shop/web/cloudflare.json',
      'shop/web/configmap-gateway-web.yaml',
      'shop/web/kustomization.yaml',
      'shop/web/status.json',
      'shop/web/table.json',
    ]);
    assert.match(files.get('kustomization.yaml') ?? '', /resources:\n {2}- shop\/web\n$/);
    assert.match(files.get('shop/web/kustomization.yaml') ?? '', /resources:\n {2}- configmap-gateway-web\.yaml\n$/);
  });

  it('says of each JSON file in its first field that it is for review', () => {
    const files = layout({
      planes: new Map([plane('shop/web', [])]),
      statuses: new Map([claim('Gateway', 'shop/web')]),
    });
    for (const name of ['table', 'cloudflare', 'status']) {
      const document = JSON.parse(files.get(`shop/web/${name}.json`) ?? '') as object;
      assert.equal(Object.keys(document)[0], '//', name);
    }
  });

  it('keeps names apart and below 255 bytes, however long they are', () => {
    const long = 'a'.repeat(252);
    const objects = [config(`${long}b`), config(`${long}c`), config('a'.repeat(230))];
    const files = layout({ planes: new Map([plane('shop/web', objects)]), statuses: new Map() });
    const names = [...files.keys()]
      .filter((path) => path.includes('configmap-'))
      .map((path) => path.split('/')[2] ?? '');
    assert.equal(new Set(names).size, 3);
    for (const name of names) assert.ok(Buffer.byteLength(name) <= 255, name);
  });

  it('puts statuses beside the plane they are about, and the others at the top', () => {
    const parents = [{ parentRef: { name: 'web' } }, { parentRef: { name: 'other', namespace: 'team' } }];
    const files = layout({
      planes: new Map([plane('shop/web', [])]),
      statuses: new Map([
        claim('GatewayClass', 'cloudflare'),
        claim('GatewayClass', 'unused'),
        claim('Gateway', 'shop/web'),
        claim('Gateway', 'shop/refused'),
        claim('HTTPRoute', 'shop/cart', { parents }),
      ]),
    });
    assert.deepEqual(statusesOf(files, 'shop/web/status.json'), [
      'GatewayClass cloudflare',
      'Gateway web',
      'HTTPRoute cart',
    ]);
    assert.deepEqual(statusesOf(files, 'shop/refused/status.json'), ['Gateway refused']);
    assert.deepEqual(statusesOf(files, 'status.json'), ['GatewayClass unused']);
  });
});
