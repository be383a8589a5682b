import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { cfgwctl, directory, examples, shop } from './process.ts';

/** Every file below a directory with its text. */
function contents(path: string): Record<string, string> {
  const paths = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((each) =>
    statSync(join(path, each)).isFile(),
  );
  return Object.fromEntries(paths.toSorted().map((each) => [each, readFileSync(join(path, each), 'utf8')]));
}

describe('cfgwctl render', function suite() {
  this.timeout(60_000);
  const files = directory();
  const output = (): string => join(files.path, 'out');

  it('writes the same bytes twice, and for the same documents in another order', async () => {
    const documents = readdirSync(examples)
      .filter((name) => name.endsWith('.yaml'))
      .flatMap((name) => readFileSync(join(examples, name), 'utf8').split(/^---$/m));
    const one = await cfgwctl(['render', '-f', examples, '-o', output()]);
    const first = contents(output());
    assert.equal(one.code, 0);
    const shuffled = files.write('shuffled.yaml', documents.toReversed().join('\n---\n'));
    const two = await cfgwctl(['render', '-f', shuffled, '-o', output(), '--check']);
    assert.equal(two.out, '');
    assert.equal(two.code, 0);
    const three = await cfgwctl(['render', '-f', examples, '-o', output()]);
    assert.match(three.err, /: 0 created, 0 changed, 0 deleted, \d+ unchanged\n/);
    assert.deepEqual(contents(output()), first);
  });

  it('puts each Gateway into a folder that kustomize can build, every .yaml one object', async () => {
    await cfgwctl(['render', '-f', examples, '-o', output()]);
    const written = contents(output());
    const folders = (parse(written['kustomization.yaml'] ?? '') as { resources: string[] }).resources;
    assert.deepEqual(folders, ['platform/public', 'shop/api', 'shop/web']);
    for (const folder of folders) {
      const { resources } = parse(written[`${folder}/kustomization.yaml`] ?? '') as { resources: string[] };
      const there = Object.keys(written)
        .filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.yaml'))
        .map((path) => path.slice(folder.length + 1));
      assert.deepEqual(resources.toSorted(), there.filter((name) => name !== 'kustomization.yaml').toSorted());
      for (const name of resources) assert.equal(parseAllDocuments(written[`${folder}/${name}`] ?? '').length, 1);
    }
  });

  it('writes all objects to stdout as one stream, the same as the files', async () => {
    await cfgwctl(['render', '-f', examples, '-o', output()]);
    const written = contents(output());
    const { out } = await cfgwctl(['render', '-f', examples]);
    const ofFiles = Object.entries(written)
      .filter(([path]) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
      .map(([, text]) => text);
    assert.deepEqual(out.split(/^---\n/m).toSorted(), ofFiles.toSorted());
  });

  it('never writes the value of a Secret', async () => {
    const secret = 'c3VwZXItc2VjcmV0LXRva2Vu';
    const text = `${shop}---\napiVersion: v1\nkind: Secret\nmetadata: { name: credentials, namespace: shop }\ndata: { CLOUDFLARE_API_TOKEN: ${secret}, CLOUDFLARE_ACCOUNT_ID: YWNjb3VudA== }\n`;
    const { code, err } = await cfgwctl(['render', '-f', files.write('in.yaml', text), '-o', output()]);
    assert.equal(code, 0);
    const all = [...Object.values(contents(output())), err].join('\n');
    assert.doesNotMatch(all, new RegExp(`${secret}|super-secret-token`));
    assert.doesNotMatch(all, /is taken to exist \[Assumed\].*credentials/);
  });

  it('reads stdin, and names each assumed object once', async () => {
    const { code, out, err } = await cfgwctl(['render', '-f', '-'], shop);
    assert.equal(code, 0);
    assert.ok(parseAllDocuments(out).length > 3);
    assert.match(err, /<stdin>:\d+:\d+: note: .*Secret shop\/credentials .*taken to exist/);
    assert.equal(err.match(/Service shop\/cart is not among the files/g)?.length, 1, err);
  });

  it('--check writes nothing and tells what is missing, what differs by line, and what is stale', async () => {
    const file = files.write('in.yaml', shop);
    const nothing = await cfgwctl(['render', '-f', file, '-o', output(), '--check']);
    assert.equal(nothing.code, 1);
    assert.deepEqual(readdirSync(files.path), ['in.yaml']);
    await cfgwctl(['render', '-f', file, '-o', output()]);
    const before = contents(output());
    files.write('in.yaml', shop.replace('value: /cart', 'value: /basket').replaceAll('www.shop.example', 'a.example'));
    const { code, out } = await cfgwctl(['render', '-f', file, '-o', output(), '--check']);
    assert.equal(code, 1);
    assert.match(
      out,
      /out\/shop\/web\/configmap-gateway-web\.yaml: differs\n {2}@@ line \d+ @@\n {2}- .*www\.shop\.example/,
    );
    assert.deepEqual(contents(output()), before);
    files.write('in.yaml', shop.replaceAll('name: web', 'name: other'));
    const renamed = await cfgwctl(['render', '-f', file, '-o', output(), '--check']);
    assert.match(renamed.out, /shop\/other\/table\.json: missing/);
    assert.match(renamed.out, /shop\/web\/table\.json: stale/);
  });

  it('removes stale files with their folder, and leaves alone what it did not write', async () => {
    const file = files.write('in.yaml', shop);
    await cfgwctl(['render', '-f', file, '-o', output()]);
    writeFileSync(join(output(), 'README.md'), 'by hand\n');
    files.write('in.yaml', shop.replaceAll('name: web', 'name: other'));
    const { code, err } = await cfgwctl(['render', '-f', file, '-o', output()]);
    assert.equal(code, 0, err);
    assert.deepEqual(readdirSync(join(output(), 'shop')), ['other']);
    assert.equal(readFileSync(join(output(), 'README.md'), 'utf8'), 'by hand\n');
  });

  it('refuses to overwrite a file it did not write: exit code 2, nothing written', async () => {
    const file = files.write('in.yaml', shop);
    await cfgwctl(['render', '-f', file, '-o', output()]);
    rmSync(join(output(), 'inventory.json'));
    writeFileSync(join(output(), 'kustomization.yaml'), 'by hand\n');
    const before = contents(output());
    const { code, err } = await cfgwctl(['render', '-f', file, '-o', output()]);
    assert.equal(code, 2);
    assert.match(err, /error: .*out\/kustomization\.yaml is in the way and was not written by cfgwctl/);
    assert.deepEqual(contents(output()), before);
  });

  it('says that it overwrites what somebody edited', async () => {
    const file = files.write('in.yaml', shop);
    await cfgwctl(['render', '-f', file, '-o', output()]);
    writeFileSync(join(output(), 'shop/web/table.json'), 'edited\n');
    const { code, err } = await cfgwctl(['render', '-f', file, '-o', output()]);
    assert.equal(code, 0);
    assert.match(err, /overwriting .*shop\/web\/table\.json, which was edited after it was written/);
  });

  it('takes a kind of another API group for what it is', async () => {
    const foreign = `${shop}---\napiVersion: networking.istio.io/v1\nkind: Gateway\nmetadata: { name: web, namespace: shop }\nspec: { selector: { istio: ingress } }\n`;
    const { code, out } = await cfgwctl(['render', '-f', files.write('in.yaml', foreign)]);
    assert.equal(code, 0);
    assert.match(out, /name: gateway-web$/m);
  });
});
