import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { KubeObject } from '../../facts/object.ts';
import { endpointsFile } from '../../proxy/compile.ts';
import { readTable } from '../../table/read.ts';
import { endpointsObject, tableObjects } from './routingtable.ts';
import { testPlane } from './testplane.test.ts';

/** A text of about so many KiB that gzip can do little about. */
const noise = (kibibytes: number): string =>
  Array.from({ length: kibibytes * 8 }, (_, line) => `${hash('sha512', `${line}`, 'hex')}\n`).join('');

interface ConfigMap extends KubeObject {
  readonly data?: Record<string, string>;
  readonly binaryData?: Record<string, string>;
}

const emitted = (text: string): readonly ConfigMap[] => tableObjects(testPlane(), '1.0', text).objects ?? [];

/** What a kubelet would mount of them, read as the proxy reads it. */
async function read(maps: readonly ConfigMap[]): Promise<string> {
  const files = new Map<string, Uint8Array>();
  for (const { data = {}, binaryData = {} } of maps) {
    for (const [name, content] of Object.entries(data)) files.set(name, Buffer.from(content));
    for (const [name, content] of Object.entries(binaryData)) files.set(name, Buffer.from(content, 'base64'));
  }
  const found = await readTable((name) => files.get(name));
  return found.unusable ?? found.text;
}

describe('the table in ConfigMaps', () => {
  it('is one readable ConfigMap while it fits', async () => {
    const text = '{\n"schema":"1.0"\n}\n';
    const maps = emitted(text);
    assert.deepEqual(
      maps.map(({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`),
      ['ConfigMap shop gateway-web'],
    );
    assert.equal(maps[0]?.data?.['table.json'], text);
    assert.equal(maps[0].binaryData, undefined);
    assert.equal(await read(maps), text);
  });

  it('is compressed above that, and sharded above the size of one', async () => {
    const [gzipped, sharded] = [noise(1000), noise(3000)];
    const one = emitted(gzipped);
    assert.equal(one.length, 1);
    assert.equal(await read(one), gzipped);
    const several = emitted(sharded);
    assert.deepEqual(
      several.map(({ metadata }) => metadata.name),
      ['gateway-web', 'gateway-web-table-1'],
    );
    assert.equal(await read(several), sharded);
    for (const map of [...one, ...several]) assert.ok(JSON.stringify(map).length < 1.5 * 1024 * 1024);
  });

  it('is refused with its size where nothing could hold it', () => {
    const { objects, tooLarge } = tableObjects(testPlane(), '1.0', noise(16_000));
    assert.equal(objects, undefined);
    assert.ok((tooLarge?.bytes ?? 0) > (tooLarge?.limit ?? 0));
  });

  it('is the same for the same text, with and without a cache', () => {
    const cache = new Map<string, Uint8Array>();
    const text = noise(1000);
    tableObjects(testPlane(), '1.0', noise(900), cache);
    assert.deepEqual(tableObjects(testPlane(), '1.0', text, cache), tableObjects(testPlane(), '1.0', text));
  });
});

describe('the endpoints document', () => {
  it('is a ConfigMap of its own, with the file that the proxy looks for', () => {
    const { metadata, data } = endpointsObject(testPlane(), '{}\n') as ConfigMap;
    assert.equal(metadata.name, 'gateway-web-endpoints');
    assert.deepEqual(data, { [endpointsFile]: '{}\n' });
  });
});
