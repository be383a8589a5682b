import assert from 'node:assert/strict';
import { cfgwctl, directory, shop } from './process.ts';

const head = 'apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata:\n  name: cart\n  namespace: shop\n';

/** Ten kinds of wrong input: the text of `in.yaml`, and what the message must say, place included. */
const cases: Readonly<Record<string, { readonly text: string; readonly message: RegExp }>> = {
  'broken syntax': { text: 'a: [1,\nb: 2\n', message: /in\.yaml:\d+:\d+: error: is no valid YAML/ },
  'a field that is there twice': {
    text: `${head}spec:\n  hostnames: [a.example]\n  hostnames: [b.example]\n`,
    message: /in\.yaml:8:3: error: HTTPRoute shop\/cart: spec\.hostnames: .*in\.yaml:7:3/,
  },
  'an object that is there twice': {
    text: `${head}spec: {}\n---\n${head}spec: {}\n`,
    message: /in\.yaml:8:1: error: HTTPRoute shop\/cart: is there twice, first at .*in\.yaml:1:1; remove one/,
  },
  'an unknown field': {
    text: `${head}spec:\n  hostname: [a.example]\n`,
    message: /in\.yaml:7:3: error: HTTPRoute shop\/cart: spec\.hostname: .*hostnames/,
  },
  'a wrong type': {
    text: `${head}spec:\n  hostnames: a.example\n`,
    message: /in\.yaml:7:3: error: HTTPRoute shop\/cart: spec\.hostnames: /,
  },
  'a value that the schema refuses': {
    text: `${head}spec:\n  hostnames: ["not a host"]\n`,
    message: /in\.yaml:7:\d+: error: HTTPRoute shop\/cart: spec\.hostnames\[0\]: /,
  },
  'a rule of the schema that is broken': {
    text: `${head}spec:\n  rules:\n    - filters:\n        - type: RequestRedirect\n`,
    message: /in\.yaml:9:\d+: error: HTTPRoute shop\/cart: spec\.rules\[0\]\.filters\[0\]/,
  },
  'a version that is not served': {
    text: head.replace('/v1', '/v9'),
    message: /in\.yaml:2:1: error: HTTPRoute shop\/cart: kind: HTTPRoute has no version v9 .* served are v1/,
  },
  'a Helm template': {
    text: `${head}spec:\n  hostnames: {{ .Values.hosts }}\n`,
    message: /in\.yaml:\d+:\d+: error: .*Helm/,
  },
  'a document of another program': {
    text: 'services:\n  web: {}\n',
    message: /in\.yaml:1:1: error: is no Kubernetes object/,
  },
};

describe('wrong input', () => {
  const files = directory();

  for (const [kind, { text, message }] of Object.entries(cases)) {
    it(`${kind}: a sentence with its place, exit code 2, nothing made`, async () => {
      const { code, out, err } = await cfgwctl(['render', '-f', files.write('in.yaml', text)]);
      assert.match(err, message);
      assert.equal(code, 2);
      assert.equal(out, '');
      assert.doesNotMatch(err, /^\s+at /m);
    });
  }

  it('tells everything that is wrong, not only the first', async () => {
    const text = `${head}spec:\n  hostname: [a]\n  hostnames: a\n---\n${shop.replace('port: 80,', 'port: 0,')}`;
    const { code, err } = await cfgwctl(['render', '-f', files.write('in.yaml', text)]);
    assert.equal(code, 2);
    assert.equal(err.match(/: error: /g)?.length, 3, err);
  });
});
