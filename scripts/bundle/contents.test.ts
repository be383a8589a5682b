import assert from 'node:assert/strict';
import type { Metafile } from 'esbuild';
import { bundles, closure } from './bundles.ts';
import { intruders } from './contents.ts';

const proxy = bundles.find(({ name }) => name === 'proxy');
assert.ok(proxy);

/** A metafile of a bundle into which src/a.ts pulled one file of node_modules. */
function bundleWith(input: string, bytesInOutput: number): Metafile {
  const source = { bytes: 9, imports: [{ path: input, kind: 'import-statement' as const }] };
  return {
    inputs: { 'src/a.ts': source, [input]: { bytes: 9, imports: [] } },
    outputs: {
      'dist/proxy.mjs': {
        bytes: 99,
        imports: [],
        exports: [],
        inputs: { 'src/a.ts': { bytesInOutput: 9 }, [input]: { bytesInOutput } },
      },
    },
  };
}

describe('what a bundle may hold', () => {
  it('is what its list names, and what that needs itself', () => {
    assert.ok(closure(['http-proxy-3']).has('node_modules/follow-redirects'));
    assert.deepEqual(intruders(proxy, bundleWith('node_modules/undici/index.js', 9)), []);
  });

  it('is not the Kubernetes client in the proxy', () => {
    assert.match(
      intruders(proxy, bundleWith('node_modules/@kubernetes/client-node/dist/index.js', 9))[0] ?? '',
      /holds @kubernetes\/client-node, imported by src\/a\.ts/,
    );
  });

  it('is not taken for another package where one is nested in a package that is allowed', () => {
    const cfgwctl = bundles.find(({ name }) => name === 'cfgwctl');
    assert.ok(cfgwctl);
    const nested = 'node_modules/cdk8s/node_modules/fast-json-patch/index.mjs';
    assert.deepEqual(intruders(cfgwctl, bundleWith(nested, 9)), []);
    assert.match(intruders(proxy, bundleWith(nested, 9))[0] ?? '', /holds fast-json-patch/);
  });

  it('leaves out what was shaken off', () => {
    assert.deepEqual(intruders(proxy, bundleWith('node_modules/cloudflare/index.mjs', 0)), []);
  });
});
