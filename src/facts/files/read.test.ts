import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatMessage } from './message.ts';
import { readFiles, type FileFacts } from './read.ts';

async function* stream(...chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

const read = async (text: string): Promise<FileFacts> => readFiles(['-'], stream(text));
const lines = ({ messages }: FileFacts): readonly string[] => messages.map((message) => formatMessage(message));
const names = ({ facts }: FileFacts): readonly string[] =>
  facts.map(({ object: { kind, metadata } }) => `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`);

const service = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}${more}}\nspec: {ports: [{port: 80}]}\n`;

describe('reading from stdin', () => {
  it('takes several documents, also empty ones', async () => {
    const result = await read(
      `# nothing\n---\n---\n${service('a')}---\n${service('b', ', namespace: shop')}---\nnull\n`,
    );
    assert.deepEqual(names(result), ['Service default/a', 'Service shop/b']);
    assert.deepEqual(result.messages, []);
  });

  it('takes JSON, in pieces, and reads it once', async () => {
    const json = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    const result = await readFiles(['-', '-'], stream(json.slice(0, 20), json.slice(20)));
    assert.deepEqual(names(result), ['Namespace -/shop']);
    assert.equal(result.facts[0]?.position.file, '<stdin>');
  });

  it('takes the objects out of lists, typed and untyped, of lists too', async () => {
    const typed = { apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }] };
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [typed, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b' } }],
    };
    const result = await read(`${JSON.stringify(list)}\n---\n{apiVersion: v1, kind: List}\n`);
    assert.deepEqual(names(result), ['ConfigMap default/a', 'Namespace -/b']);
    assert.deepEqual(lines(result), []);
  });

  it('knows where each field was written', async () => {
    const { facts } = await read(`---\n${service('a')}`);
    const place = (...path: readonly (string | number)[]): string | undefined => {
      const position = facts[0]?.positionOf(path);
      return position && `${position.line}:${position.column}`;
    };
    assert.equal(place(), '2:1');
    assert.equal(place('metadata', 'name'), '4:12');
    assert.equal(place('spec', 'ports', 0), '5:16');
    assert.equal(place('spec', 'ports', 0, 'port'), '5:17');
    assert.equal(place('spec', 'ports', 0, 'protocol'), '5:16', 'a defaulted field is where its parent is');
  });

  it('applies defaults and freezes the object through and through', async () => {
    const object = (await read(service('a'))).facts[0]?.object as unknown as {
      readonly spec: { readonly ports: readonly unknown[] };
    };
    assert.deepEqual(object.spec.ports, [{ port: 80, protocol: 'TCP', targetPort: 80 }]);
    assert.ok(Object.isFrozen(object) && Object.isFrozen(object.spec.ports) && Object.isFrozen(object.spec.ports[0]));
  });

  it('counts stringData as data', async () => {
    const { facts } = await read(
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: eA==, b: eA==}\nstringData: {b: z}\n',
    );
    assert.deepEqual(facts[0]?.object['data'], { a: 'eA==', b: 'eg==' });
    assert.equal(facts[0]?.object['stringData'], undefined);
  });

  it('keeps the time of creation', async () => {
    const { facts } = await read(service('a', ', creationTimestamp: 2026-01-31T10:00:00Z'));
    assert.equal(facts[0]?.object.metadata.creationTimestamp, '2026-01-31T10:00:00Z');
  });

  it('keeps an object of a kind that no rule reads, and says so', async () => {
    const result = await read(
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: shop}\nspec: {anything: 1}\n',
    );
    assert.deepEqual(names(result), ['Deployment shop/a']);
    assert.deepEqual(lines(result), [
      '<stdin>:1:1: note: Deployment shop/a: kind Deployment is not read by this controller, ignored',
    ]);
  });

  it('merges what << brings in, under what is written', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\n---\n';
    const merged = `${text}apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  labels: &l {a: "1", b: "2"}\n  annotations: {<<: [*l, {c: "4", b: "5"}], a: "3"}\n`;
    const { facts, messages } = await read(merged);
    assert.deepEqual(messages, []);
    assert.deepEqual(facts[1]?.object.metadata.annotations, { a: '3', b: '2', c: '4' });
  });

  it('has no field that is anything but a field', async () => {
    const { facts, messages } = await read(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {__proto__: "x"}\n',
    );
    assert.deepEqual(messages, []);
    assert.deepEqual(Object.entries(facts[0]?.object['data'] ?? {}), [['__proto__', 'x']]);
  });

  it('shows no value of a Secret', async () => {
    const result = await read(
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: hunter2!}\nstringData: {b: 0777, c: [hunter2]}\n',
    );
    assert.ok(lines(result).length >= 3);
    assert.doesNotMatch(lines(result).join('\n'), /hunter2|511|777/);
  });
});

describe('reading from paths', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'files-'));
    const files = {
      'b.yaml': service('b'),
      'a/z.yml': service('z'),
      'a/y.json': '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"y"}}',
      'a/kustomization.yaml': 'resources: [z.yml]\n',
      'a/notes.txt': 'not read',
      '.git/hidden.yaml': 'not: read\n',
      'bad/utf8.yaml': Buffer.from([0x61, 0xff]),
      'bad/compose.yaml': 'services: {}\n',
    };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), content);
    }
    await symlink('..', join(root, 'a', 'loop'));
  });
  after(async () => rm(root, { recursive: true }));

  const relative = (result: FileFacts): readonly string[] =>
    lines(result).map((line) => line.replaceAll(`${root}/`, ''));

  it('reads a directory in a fixed order, passes over what is no manifest by its name, and follows no loop', async () => {
    const result = await readFiles([join(root, 'a'), join(root, 'b.yaml')]);
    assert.deepEqual(names(result), ['Service default/b', 'Namespace -/y', 'Service default/z']);
    assert.deepEqual(
      relative(result).toSorted(),
      [
        'a/kustomization.yaml:1:1: note: is no manifest, skipped',
        'a/loop/bad/compose.yaml:1:1: error: is no Kubernetes object: apiVersion and kind are missing',
        'a/loop/bad/utf8.yaml:1:1: error: is no text in UTF-8',
      ].toSorted(),
    );
  });

  it('refuses a file that is named and is no manifest by its name', async () => {
    const result = await readFiles([join(root, 'a', 'kustomization.yaml')]);
    assert.match(relative(result).join(), /^a\/kustomization\.yaml:1:1: error: is no manifest/);
  });

  it('takes patterns', async () => {
    const result = await readFiles([join(root, '{a/*.yml,b.yaml}')]);
    assert.deepEqual(names(result), ['Service default/z', 'Service default/b']);
  });

  it('says what does not exist', async () => {
    const result = await readFiles([join(root, 'nowhere.yaml'), join(root, '*.nothing')]);
    assert.deepEqual(relative(result), [
      'nowhere.yaml:1:1: error: does not exist',
      '*.nothing:1:1: error: is a pattern that no file matches',
    ]);
  });

  it('reads a file that is named twice once', async () => {
    const result = await readFiles([join(root, 'b.yaml'), join(root, 'b.yaml'), join(root, '*.yaml')]);
    assert.deepEqual(names(result), ['Service default/b']);
    assert.deepEqual(result.messages, []);
  });

  it('names both places of an object that is there twice', async () => {
    await writeFile(join(root, 'c.yaml'), `\n${service('b', ', namespace: default')}`);
    const result = await readFiles([join(root, 'b.yaml'), join(root, 'c.yaml')]);
    assert.deepEqual(relative(result), [
      `c.yaml:2:1: error: Service default/b: is there twice, first at b.yaml:1:1; remove one of them`,
    ]);
  });
});
