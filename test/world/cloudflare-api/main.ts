/** `node test/world/cloudflare-api/main.ts --port 8787 --zone example.com --zone example.org`: the API as a process, until SIGTERM. */
import { parseArgs } from 'node:util';
import { realLimit } from './ratelimit.ts';
import { startCloudflareApi } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    zone: { type: 'string', multiple: true, default: [] },
    'refuse-token': { type: 'string', multiple: true, default: [] },
    'refuse-account': { type: 'string', multiple: true, default: [] },
    'rate-limit': { type: 'boolean', default: false },
  },
});
const api = await startCloudflareApi({
  port: Number(values.port),
  host: values.host,
  zones: values.zone,
  refusedTokens: values['refuse-token'],
  refusedAccounts: values['refuse-account'],
  ...(values['rate-limit'] ? { rateLimit: realLimit } : {}),
});
process.stdout.write(`${JSON.stringify({ baseUrl: api.baseUrl })}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void api.close());
}
