import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cfgwctl, collect, directory, examples, shop, start } from './process.ts';

/** `FILE` stands for a good file, `OUT` for a directory that is not there. */
const table: readonly (readonly [args: string, code: number, said: RegExp])[] = [
  ['--help', 0, /^Usage: cfgwctl[\s\S]*Exit codes: 0 fine, 1 .*, 2 /],
  ['render --help', 0, /Examples:[\s\S]*Exit codes:/],
  ['route --help', 0, /Examples:[\s\S]*Exit codes:/],
  ['serve --help', 0, /Examples:[\s\S]*Exit codes:/],
  ['proxy --help', 0, /usage: proxy --listen/],
  ['version', 0, /^cfgwctl \S+\nnode v\d+\.\S+\ngateway api v1\.6\.\d+\ntable schema 1\.\d+\n$/],
  ['render -f FILE', 0, /kind: Deployment/],
  ['render -f FILE -o OUT --check', 1, /configmap-gateway-web\.yaml: missing/],
  ['render -f FILE --fail-on warning', 0, /kind: Deployment/],
  ['route -f FILE GET http://www.shop.example/cart', 0, /HTTPRoute shop\/cart rule 0/],
  ['route -f FILE GET http://nobody.example/', 0, /404: no rule matches; no listener takes this host/],
  ['', 2, /Usage: cfgwctl/],
  ['nothing', 2, /error: unknown command 'nothing'/],
  ['render', 2, /error: required option '-f, --filename/],
  ['render -f FILE --nothing', 2, /error: unknown option '--nothing'/],
  ['render -f FILE --check', 2, /error: --check compares a directory; name it with -o/],
  ['render -f FILE --fail-on much', 2, /error: .*error, warning/],
  ['render -f nowhere.yaml', 2, /nowhere\.yaml:1:1: error: does not exist/],
  ['route -f FILE', 2, /error: route needs files, a method and a URL/],
  ['route -f FILE GET /cart', 2, /error: \/cart names no host/],
  ['route -f FILE -H nothing GET http://a.example/', 2, /error: -H "nothing" is no header/],
  ['route -f FILE --gateway shop/other GET http://a.example/', 2, /Gateway shop\/other is not among .*shop\/web/],
  ['serve -f FILE --gateway shop/web', 2, /required option '--listen/],
  ['serve -f FILE --gateway shop/other --listen 127.0.0.1:0', 2, /Gateway shop\/other is not among/],
  ['serve -f FILE --gateway web --listen 127.0.0.1:0', 2, /write it as NAMESPACE\/NAME/],
  ['serve -f FILE --gateway shop/web --listen 8080', 2, /error: --listen 8080 is not HOST:PORT/],
  ['serve -f - --gateway shop/web --listen 127.0.0.1:0', 2, /stdin can be read once/],
  ['serve -f FILE --gateway shop/web --listen 127.0.0.1:0 --backend cart', 2, /--backend cart is not NAMESPACE/],
  [
    'serve -f FILE --gateway shop/web --listen 127.0.0.1:0 --backend shop/x:80=127.0.0.1:1',
    2,
    /--backend shop\/x:80: no route of the Gateway sends there; routes send to shop\/cart:80/,
  ],
  ['operator --help', 0, /usage: cfgwctl operator/],
  ['operator --config nowhere.yaml', 2, /nowhere\.yaml/],
  ['controller --leader-elect now', 2, /--leader-elect/],
  ['proxy', 2, /--table is missing/],
];

describe('exit codes', () => {
  const files = directory();

  for (const [args, code, said] of table) {
    it(`${code} for cfgwctl ${args}`, async () => {
      const file = files.write('shop.yaml', shop);
      const words = args.split(' ').filter((word) => word !== '');
      const ended = await cfgwctl(
        words.map((word) => word.replace(/^FILE$/, file).replace(/^OUT$/, `${files.path}/out`)),
      );
      assert.match(ended.out + ended.err, said);
      assert.equal(ended.code, code);
      assert.doesNotMatch(ended.err, /^\s+at /m);
    });
  }

  it('1 for findings at the level that --fail-on names, with the output made all the same', async function test() {
    this.timeout(30_000);
    for (const flags of [['--fail-on', 'error'], ['--strict']]) {
      const { code, out, err } = await cfgwctl(['render', '-f', examples, ...flags]);
      assert.equal(code, 1);
      assert.match(err, /4-api-routes\.yaml:\d+:\d+: error: HTTPRoute shop\/reports: .* \[RefNotPermitted\]/);
      assert.match(out, /kind: Deployment/);
    }
  });

  it('1 for a warning about the files with --strict, 0 with --fail-on error', async function test() {
    this.timeout(30_000);
    const file = files.write(
      'shop.yaml',
      shop.replace('{ name: cloudflare }', '{ name: cloudflare, namespace: shop }'),
    );
    const lenient = await cfgwctl(['render', '-f', file, '--fail-on', 'error']);
    assert.match(lenient.err, /shop\.yaml:3:\d+: warning: GatewayClass .*namespace/);
    assert.equal(lenient.code, 0);
    assert.equal((await cfgwctl(['render', '-f', file, '--strict'])).code, 1);
  });

  it('0 when the reader of the output has seen enough', async () => {
    const child = start(['render', '-f', examples]);
    const err = collect(child, 'stderr');
    child.stdout?.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0);
    assert.doesNotMatch(err(), /EPIPE/);
  });
});

describe('messages', () => {
  it('go to stderr, without colours outside of a terminal, even if FORCE_COLOR is set beside NO_COLOR', async () => {
    const { err } = await cfgwctl(['render', '-f', 'nowhere.yaml'], '', { NO_COLOR: '1', FORCE_COLOR: '1' });
    assert.equal(err.split('\n').at(-2), 'nowhere.yaml:1:1: error: does not exist');
  });
});
