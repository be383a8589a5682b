import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { RoutingTable, TableRow, TableRule } from './document.ts';
import { encodeTable } from './encode.ts';
import { packTable, type PackedFile, type PackedTable } from './pack.ts';
import { readTable, readText, type ReadFile } from './read.ts';

const configMapLimit = 1024 * 1024;

/** A table as clusters have it: `rules` routes over `hosts` hosts; `filler` makes each rule hard to compress. */
function tableOf(rules: number, hosts: number, filler: (index: number) => string = () => ''): RoutingTable {
  const rowOf = (index: number): TableRow => ({
    path: { type: 'PathPrefix', value: `/service-${index}/api` },
    listeners: ['infra/web/https'],
    rule: `shop/route-${index}/0`,
  });
  const ruleOf = (index: number): TableRule => ({
    source: `HTTPRoute shop/route-${index} rule 0`,
    filters: [{ type: 'RequestHeaderModifier', set: [{ name: 'x-route', value: `${index}${filler(index)}` }] }],
    backends: [{ weight: 1, backend: 'shop/a:80' }],
  });
  const indexes = Array.from({ length: rules }, (_, index) => index);
  return {
    schema: '1.0',
    plane: 'infra/web',
    listeners: [{ id: 'infra/web/https', gateway: 'infra/web', protocol: 'HTTPS', port: 443 }],
    hosts: Array.from({ length: hosts }, (_, host) => ({
      host: `${host}.example.com`,
      rows: indexes.filter((index) => index % hosts === host).map(rowOf),
    })),
    rules: Object.fromEntries(indexes.map((index) => [`shop/route-${index}/0`, ruleOf(index)])),
    backends: { 'shop/a:80': { host: 'a.shop.svc.cluster.local.', port: 80, protocol: 'http1' } },
  };
}

const noise = (index: number): string =>
  Array.from({ length: 8 }, (_, part) => hash('sha512', `${index} ${part}`, 'base64')).join('');
const small = encodeTable(tableOf(10, 2));
const large = encodeTable(tableOf(10_000, 1000));
const huge = encodeTable(tableOf(4000, 100, noise));

function filesOf(packed: PackedTable): readonly PackedFile[] {
  assert.ok(packed.tooLarge === undefined, 'too large');
  return packed.files;
}

/** A mounted directory with these files; later ones replace earlier ones. */
function directory(...files: readonly PackedFile[]): ReadFile {
  const contents = new Map(files.map(({ name, content }) => [name, Buffer.from(content as Uint8Array)]));
  return (name) => contents.get(name);
}

const textIn = async (read: ReadFile): Promise<string> => {
  const found = await readTable(read);
  return found.unusable ?? found.text;
};

describe('a packed table', () => {
  it('is text while it fits', async () => {
    const files = filesOf(packTable('1.0', small));
    assert.deepEqual(
      files.map(({ configMap, name }) => [configMap, name]),
      [
        [0, 'table.meta.json'],
        [0, 'table.json'],
      ],
    );
    assert.equal(files[1]?.content, small);
    assert.equal(await textIn(directory(...files)), small);
  });

  it('is gzip in one ConfigMap with 10,000 rules, and anything can unpack it', async () => {
    const packed = packTable('1.0', large);
    const files = filesOf(packed);
    assert.deepEqual(
      files.map(({ configMap, name }) => [configMap, name]),
      [
        [0, 'table.meta.json'],
        [0, 'table.json.gz'],
      ],
    );
    assert.ok((files[1]?.content.length ?? 0) < 256 * 1024, `${files[1]?.content.length} bytes`);
    assert.equal(gunzipSync(files[1]?.content ?? '').toString(), large);
    assert.equal(await textIn(directory(...files)), large);
  });

  it('is shards, each in a ConfigMap of its own, if it is larger still', async () => {
    const files = filesOf(packTable('1.0', huge));
    assert.ok(files.length > 2);
    assert.deepEqual(
      files.slice(1).map(({ configMap, name }) => [configMap, name]),
      files.slice(1).map((_, index) => [index, `table.json.gz.${index}`]),
    );
    for (const { content } of files) assert.ok(content.length < configMapLimit);
    assert.equal(await textIn(directory(...files)), huge);
  });

  it('is refused beyond what the shards hold', () => {
    const { tooLarge } = packTable('1.0', encodeTable(tableOf(14_000, 10, noise)));
    assert.ok(tooLarge !== undefined && tooLarge.bytes > tooLarge.limit);
  }).timeout(30_000);

  it('is the same bytes with and without a cache, and a change leaves most of the cache in use', () => {
    for (const hosts of [1, 1000]) {
      const before = encodeTable(tableOf(10_000, hosts));
      const after = before.replace('"/service-5000/api"', '"/service-5000/changed"');
      const cache = new Map<string, Uint8Array>();
      packTable('1.0', before, cache);
      const kept = new Set(cache.values());
      assert.deepEqual(packTable('1.0', after, cache), packTable('1.0', after));
      const fresh = [...cache.values()].filter((bytes) => !kept.has(bytes));
      assert.ok(kept.size > 20 && fresh.length <= 2, `${fresh.length} of ${kept.size} groups compressed anew`);
    }
  });
});

describe('reading what was published', () => {
  it('takes no half of an update: a shard that is missing, or of the table before', async () => {
    const before = filesOf(packTable('1.0', huge));
    const after = filesOf(packTable('1.0', huge.replace('"x-route"', '"x-rouge"')));
    const missing = directory(...after.filter(({ configMap }) => configMap !== 1));
    assert.match(await textIn(missing), /table\.json\.gz\.1 is not there/);
    const halfNew = directory(...before, ...after.filter(({ configMap }) => configMap === 0));
    const halfOld = directory(...after, ...before.filter(({ configMap }) => configMap === 0));
    const plain = /do not unpack|make a table \w{12}, not \w{12}/;
    assert.match(await textIn(halfNew), plain);
    assert.match(await textIn(halfOld), plain);
    assert.match(await textIn(directory(...before, ...after)), /x-rouge/);
  });

  it('goes by the form that is published, whatever else still lies there', async () => {
    const leftovers = [...filesOf(packTable('1.0', huge)), ...filesOf(packTable('1.0', small))];
    assert.equal(await textIn(directory(...leftovers, ...filesOf(packTable('1.0', large)))), large);
    assert.equal(await textIn(directory(...leftovers)), small);
  });

  it('takes a text that was edited by hand, under its own hash', async () => {
    const edited = small.replace('/service-1/', '/edited/');
    const found = await readTable(
      directory(...filesOf(packTable('1.0', small)), { configMap: 0, name: 'table.json', content: edited }),
    );
    assert.deepEqual(found, readText(Buffer.from(edited)));
  });

  it('works without the meta file', async () => {
    for (const text of [small, large]) {
      assert.equal(await textIn(directory(...filesOf(packTable('1.0', text)).slice(1))), text);
    }
  });

  it('says what is wrong with an empty directory, a cut file and a broken meta file', async () => {
    const [meta, zipped] = filesOf(packTable('1.0', large));
    assert.ok(meta !== undefined && zipped !== undefined);
    assert.match(await textIn(directory()), /is not there/);
    assert.match(await textIn(directory(meta, { ...zipped, content: zipped.content.slice(0, 5000) })), /do not unpack/);
    assert.match(await textIn(directory({ ...meta, content: '{' }, zipped)), /table\.meta\.json is not JSON/);
    assert.match(
      await textIn(directory({ ...meta, content: '{"form":"shards","parts":1e9,"hash":""}' })),
      /does not say/,
    );
  });
});
