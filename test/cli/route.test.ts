import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cfgwctl, directory, examples, shop } from './process.ts';

describe('cfgwctl route', function suite() {
  this.timeout(30_000);
  const files = directory();
  const route = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await cfgwctl(['route', '-f', examples, ...args]);
    assert.equal(code, 0, err);
    return out;
  };

  it('tells the winner, the split with its percentages, and why the others lost', async () => {
    const out = await route('GET', 'https://www.shop.example/search?q=lamp');
    assert.match(out, /^plane shop\/web\n {2}HTTPRoute shop\/storefront rule 2 \(search\)\n/m);
    assert.match(out, /match {5}path PathPrefix \/search\n/);
    assert.match(
      out,
      /90 % .*Service\/shop\/search-stable\/8080 \(http1, search-stable\.shop\.svc\.cluster\.local:8080\)/,
    );
    assert.match(out, /10 % .*Service\/shop\/search-canary\/8080 /);
    assert.match(out, /HTTPRoute\/shop\/storefront\/1 .*: header x-search is absent\n/);
    assert.match(out, /HTTPRoute\/shop\/storefront\/4 .*: a higher-ranked row won\n/);
    assert.match(out, /^plane shop\/api\n {2}404: no rule matches; no listener takes this host\n/m);
  });

  it('takes headers into account, named without case', async () => {
    assert.match(await route('-H', 'X-SEARCH: canary', 'GET', 'www.shop.example/search'), /storefront rule 1/);
  });

  it('tells what the backend sees after the filters', async () => {
    const out = await route('--gateway', 'shop/api', 'GET', 'http://api.shop.example/v1/items/7?full=1');
    assert.match(out, /filter {4}URLRewrite /);
    assert.match(out, /as \/items\/7\?full=1\n/);
  });

  it('tells where a redirect leads', async () => {
    const out = await route('--gateway', 'platform/public', 'GET', 'http://old-shop.example/a?b=c');
    assert.match(out, /308 redirect to https:\/\/www\.shop\.example\/a\?b=c\n/);
  });

  it('tells why a rule answers by itself', async () => {
    const out = await route('--gateway', 'shop/api', 'GET', 'http://api.shop.example/reports/ledger');
    assert.match(out, /100 % .*500: no ReferenceGrant in namespace payments/);
  });

  it('answers as the gate does: the normal form is matched, what is ambiguous is refused', async () => {
    const escaped = await route('--gateway', 'shop/api', 'GET', 'http://api.shop.example/x/../%72eports/sales');
    assert.match(escaped, /HTTPRoute shop\/reports rule 1/);
    const refused = await route('--gateway', 'shop/api', 'GET', 'http://api.shop.example/../etc');
    assert.match(refused, /400: the gate refuses it \(path\): the path climbs above the root\n/);
  });

  it('says 404, whose the host is, and why every row lost', async () => {
    const out = await route('--gateway', 'shop/api', 'DELETE', 'http://api.shop.example/v2');
    assert.match(out, /404: no rule matches; the host belongs to listener shop\/api\/api\n/);
    assert.match(out, /HTTPRoute\/shop\/api\/0 .*: the path \/v2 is not \/v1\/orders\n/);
  });

  it('is JSON with -o json', async () => {
    const out = await route('--gateway', 'shop/web', '-o', 'json', 'GET', 'http://www.shop.example/search');
    const { request, planes } = JSON.parse(out) as {
      request: { target: string };
      planes: {
        rule: { source: string };
        outcome: { shares: { percent: number; backend: string }[] };
        rows: { lost?: string }[];
      }[];
    };
    const [web] = planes;
    assert.equal(request.target, '/search');
    assert.equal(planes.length, 1);
    assert.equal(web?.rule.source, 'HTTPRoute shop/storefront rule 2 (search)');
    assert.deepEqual(
      web?.outcome.shares.map(({ percent, backend }) => [percent, backend]),
      [
        [90, 'Service/shop/search-stable/8080'],
        [10, 'Service/shop/search-canary/8080'],
      ],
    );
    assert.equal(web?.rows.filter(({ lost }) => lost === undefined).length, 1);
  });

  it('finds the request behind several files', async () => {
    const names = ['1-namespaces', '2-gateways', '3-shop-routes', '5-payments', '7-services'];
    const paths = names.map((name) => join(examples, `${name}.yaml`));
    const { code, out } = await cfgwctl(['route', '-f', ...paths, 'GET', 'http://www.shop.example/']);
    assert.equal(code, 0);
    assert.match(out, /HTTPRoute shop\/storefront rule 4/);
  });

  it('says why a Gateway is not served', async () => {
    const file = files.write(
      'in.yaml',
      shop.replace('controllerName: cloudflare', 'controllerName: other.example/x-cloudflare'),
    );
    const { code, out } = await cfgwctl([
      'route',
      '-f',
      file,
      '--gateway',
      'shop/web',
      'GET',
      'http://www.shop.example/',
    ]);
    assert.equal(code, 0);
    assert.match(out, /^Gateway shop\/web is not served: its GatewayClass is not one of this controller/);
  });
});
