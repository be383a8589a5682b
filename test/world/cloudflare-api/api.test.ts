import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startCloudflareApi } from './server.ts';
import type { CloudflareApi } from './server.ts';
import { createLimiter } from './ratelimit.ts';

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly success: boolean;
    readonly errors: readonly { code: number; error_chain?: readonly { code: number }[] }[];
    readonly messages: readonly unknown[];
    readonly result: never;
    readonly result_info?: Readonly<Record<string, number>>;
  };
}

describe('the fake Cloudflare API', () => {
  let api: CloudflareApi;
  beforeEach(async () => {
    api = await startCloudflareApi({
      zones: ['example.com', { name: 'other.net', account: 'acc2' }],
      refusedAccounts: ['no'],
    });
  });
  afterEach(() => api.close());

  const ask = async (method: string, path: string, body?: unknown, token = 't'): Promise<Answered> => {
    const response = await fetch(`${api.baseUrl}${path}`, {
      method,
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answered['body'] };
  };
  const tunnels = '/accounts/acc1/cfd_tunnel';
  const created = async (name: string): Promise<string> => {
    const answer = await ask('POST', tunnels, { name, config_src: 'cloudflare' });
    return (answer.body.result as { id: string }).id;
  };
  const codes = ({ status, body }: Answered): unknown[] => [
    status,
    ...body.errors.flatMap((error) => [error.code, ...(error.error_chain ?? []).map(({ code }) => code)]),
  ];

  it('answers in the envelope of the API and pages', async () => {
    for (let number = 0; number < 5; number += 1) await created(`t${number}`);
    const { body } = await ask('GET', `${tunnels}?page=3&per_page=2`);
    assert.deepEqual(Object.keys(body).toSorted(), ['errors', 'messages', 'result', 'result_info', 'success']);
    assert.deepEqual(body.result_info, { page: 3, per_page: 2, count: 1, total_count: 5, total_pages: 3 });
    assert.equal((await ask('GET', `${tunnels}?per_page=5000`)).status, 400);
    assert.equal((await ask('GET', '/zones?per_page=51')).status, 400);
  });

  it('refuses what the API refuses of tunnels', async () => {
    const id = await created('t');
    assert.deepEqual(codes(await ask('POST', tunnels, { name: 't', config_src: 'cloudflare' })), [409, 1013]);
    assert.equal((await ask('POST', tunnels, { config_src: 'cloudflare' })).status, 400);
    assert.equal((await ask('POST', tunnels, { name: 'x' })).status, 400);
    assert.equal((await ask('PATCH', `${tunnels}/${id}`, { tunnel_secret: 'c2hvcnQ=' })).status, 400);
    assert.equal((await ask('GET', `${tunnels}/${id.replaceAll(/[0-9]/g, '0')}`)).status, 404);
    assert.equal((await ask('GET', `/accounts/acc2/cfd_tunnel/${id}`)).status, 404);
    assert.equal((await ask('GET', `${tunnels}/not-a-uuid`)).status, 400);
    const document = (ingress: unknown) => ask('PUT', `${tunnels}/${id}/configurations`, { config: { ingress } });
    assert.deepEqual(codes(await document([{ hostname: 'a.b', service: 'http://x' }])), [400, 1056]);
    assert.deepEqual(codes(await document([{ service: 'http://x' }, { service: 'http://x' }])), [400, 1056]);
    assert.deepEqual(codes(await document([{ service: 'x' }])), [400, 1056]);
    assert.deepEqual(
      codes(await document([{ service: 'http://x', originRequest: { connectTimeout: '5s' } }])),
      [400, 1056],
    );
    assert.equal(
      (await document([{ hostname: '*.b', service: 'http://x' }, { service: 'http_status:404' }])).status,
      200,
    );
  });

  it('changes the token with the secret, and keeps a tunnel that has connections', async () => {
    const id = await created('t');
    const token = async () => (await ask('GET', `${tunnels}/${id}/token`)).body.result as string;
    const before = await token();
    assert.equal((JSON.parse(Buffer.from(before, 'base64').toString()) as { t: string }).t, id);
    await ask('PATCH', `${tunnels}/${id}`, { tunnel_secret: Buffer.alloc(32, 1).toString('base64') });
    assert.notEqual(await token(), before);
    await fetch(new URL(`/world/connections/${id}`, api.baseUrl), { method: 'PUT' });
    const connectors = await ask('GET', `${tunnels}/${id}/connections`);
    assert.equal((connectors.body.result as { conns: unknown[] }[])[0]?.conns.length, 4);
    assert.deepEqual(codes(await ask('DELETE', `${tunnels}/${id}`)), [400, 1022]);
    await ask('DELETE', `${tunnels}/${id}/connections`);
    assert.equal((await ask('DELETE', `${tunnels}/${id}`)).status, 200);
    assert.equal((await ask('GET', `${tunnels}?is_deleted=false`)).body.result_info?.total_count, 0);
    assert.equal((await ask('GET', tunnels)).body.result_info?.total_count, 1);
  });

  it('refuses what the API refuses of records', async () => {
    const zone = (await ask('GET', '/zones?name=example.com')).body.result as unknown as { id: string }[];
    const path = `/zones/${zone[0]?.id}/dns_records`;
    const make = (record: object) => ask('POST', path, record);
    const cname = { type: 'CNAME', name: 'a.example.com', content: 'x.cfargotunnel.com', proxied: true };
    assert.equal((await make(cname)).status, 200);
    assert.deepEqual(codes(await make(cname)), [400, 81_058]);
    assert.deepEqual(codes(await make({ ...cname, content: 'y.example.net' })), [400, 81_053]);
    assert.deepEqual(codes(await make({ type: 'A', name: 'a', content: '192.0.2.1' })), [400, 81_054]);
    assert.equal((await make({ type: 'TXT', name: 'a', content: 'x' })).status, 200);
    assert.deepEqual(codes(await make({ ...cname, name: 'b', content: 'not a name' })), [400, 1004, 9007]);
    assert.deepEqual(codes(await make({ ...cname, name: 'a b' })), [400, 1004, 9000]);
    assert.deepEqual(codes(await make({ ...cname, name: 'c', type: 'ODD' })), [400, 1004, 9004]);
    assert.deepEqual(codes(await make({ ...cname, name: 'c', proxied: false, ttl: 2 })), [400, 1004, 9021]);
    assert.deepEqual(codes(await ask('DELETE', `${path}/none`)), [404, 81_044]);
    assert.deepEqual(codes(await ask('GET', '/zones/none/dns_records')), [404, 7003]);
    const short = (await make({ ...cname, name: 'Short' })).body.result as { name: string; id: string };
    assert.equal(short.name, 'short.example.com');
    await ask('PATCH', `${path}/${short.id}`, { proxied: false, ttl: 300 });
    const read = (await ask('GET', `${path}?name.exact=short.example.com`)).body.result as unknown as { ttl: number }[];
    assert.equal(read[0]?.ttl, 300);
  });

  it('knows whose zones they are, and refuses what it was told to', async () => {
    assert.equal((await ask('GET', '/zones?account.id=acc1')).body.result_info?.total_count, 1);
    assert.equal((await ask('GET', '/zones?account.id=acc2')).body.result_info?.total_count, 2);
    assert.equal((await ask('GET', '/accounts/no/cfd_tunnel')).status, 403);
    assert.equal((await ask('GET', '/zones', undefined, '')).status, 400);
    assert.equal((await ask('GET', '/no/such/thing')).status, 404);
    api.refuseToken('t');
    assert.deepEqual(codes(await ask('GET', '/zones')), [401, 10_000]);
  });

  it('counts the calls of each token', async () => {
    await api.close();
    api = await startCloudflareApi({ rateLimit: { calls: 2, windowMs: 300_000 } });
    for (const status of [200, 200, 429]) assert.equal((await ask('GET', '/zones')).status, status);
    const refused = await ask('GET', '/zones');
    assert.ok(Number(refused.headers.get('retry-after')) > 290);
    assert.equal((await ask('GET', '/zones', undefined, 'another')).status, 200);
    const clock = { now: 0 };
    const limiter = createLimiter({ calls: 1, windowMs: 1000 }, () => clock.now);
    assert.deepEqual([limiter.refuse('a'), limiter.refuse('a')], [undefined, 1]);
    clock.now = 1000;
    assert.equal(limiter.refuse('a'), undefined);
  });

  it('runs as a process that another process can look into', async () => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, '--zone', 'a.net', '--zone', 'b.net'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const { baseUrl } = JSON.parse(line.toString()) as { baseUrl: string };
      const world = async (method: string, path: string, body?: object): Promise<unknown> => {
        const response = await fetch(new URL(`/world/${path}`, baseUrl), {
          method,
          body: body === undefined ? null : JSON.stringify(body),
        });
        return response.json();
      };
      await world('POST', 'faults', { path: '^/zones$', status: 503, times: 1 });
      const headers = { authorization: 'Bearer t' };
      assert.equal((await fetch(`${baseUrl}/zones`, { headers })).status, 503);
      assert.equal((await fetch(`${baseUrl}/zones`, { headers })).status, 200);
      assert.deepEqual(await world('GET', 'calls'), [
        { method: 'GET', path: '/zones', query: '', status: 503 },
        { method: 'GET', path: '/zones', query: '', status: 200 },
      ]);
      const state = (await world('GET', 'state')) as { zones: { name: string }[] };
      assert.deepEqual(
        state.zones.map(({ name }) => name),
        ['a.net', 'b.net'],
      );
    } finally {
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number];
      assert.equal(code, 0);
    }
  });
});
