import assert from 'node:assert/strict';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../facts/object.ts';
import { manifest, manifests } from './manifest.ts';

const object = (data: Record<string, unknown>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'b' },
  data,
});

describe('an object as YAML', () => {
  it('quotes what kubectl reads otherwise than YAML 1.2 does', () => {
    const texts = [
      'on',
      'yes',
      'no',
      'y',
      'n',
      'off',
      '0777',
      '0o17',
      '1e3',
      '1_000',
      '12:30',
      '190:20:30',
      '~',
      'null',
    ];
    const text = manifest(object(Object.fromEntries(texts.map((value, at) => [`k${at}`, value]))));
    for (const value of texts) assert.match(text, new RegExp(`: ["']${value}["']$`, 'm'), value);
    assert.deepEqual(parse(text, { version: '1.1' }), parse(text, { version: '1.2' }));
  });

  it('keeps the order of fields, folds no line and writes texts of several lines as blocks', () => {
    const long = 'word '.repeat(100).trim();
    const text = manifest(object({ z: long, a: 'one\ntwo\n', long: `${long}\n${long}\n` }));
    assert.equal(
      text,
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\ndata:\n  z: ${long}\n  a: |\n    one\n    two\n  long: |\n    ${long}\n    ${long}\n`,
    );
  });

  it('reads back as it was, whatever the text', () => {
    const data = { spaces: '  a\n b ', trailing: 'a  \nb\n\n', tab: '\ta\n', empty: '', hash: 'a # b', lines: '\n\n' };
    assert.deepEqual(parse(manifest(object(data))), object(data));
  });

  it('repeats an object that stands in two places instead of pointing at it', () => {
    const shared = { app: 'a' };
    assert.doesNotMatch(manifest(object({ one: shared, two: shared })), /[&*]a1/);
  });

  it('is one stream of documents', () => {
    const stream = manifests([object({ a: '1' }), object({ a: '2' })]);
    assert.equal(parseAllDocuments(stream).length, 2);
  });
});
