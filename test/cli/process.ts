/** Runs cfgwctl as a person would: a process with arguments, streams and an exit code. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
export const examples = fileURLToPath(new URL('../../docs/examples', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Node keeps what it compiled: the many runs of a test start in half the time. */
const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), 'cfgwctl-test-compile-cache') };

/** Starts `cfgwctl ARGS…`. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: { ...process.env, ...compiled, ...env } });
}

/** Runs `cfgwctl ARGS…` to its end, with `input` on stdin. */
export async function cfgwctl(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = start(args, env);
  child.stdin?.end(input);
  const [out, err] = [collect(child, 'stdout'), collect(child, 'stderr')];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: out(), err: err() };
}

/** What a stream of the child has said so far. */
export function collect(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[stream]?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

/** A directory of a test suite's own, empty before each test and gone after it. */
export function directory(): { readonly path: string; write(name: string, text: string): string } {
  let path = '';
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'cfgwctl-test-'));
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));
  return {
    get path() {
      return path;
    },
    write(name, text) {
      const file = join(path, name);
      writeFileSync(file, text);
      return file;
    },
  };
}

/** A class, a Gateway and a route with one backend: the least that serves. */
export const shop = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: cloudflare }
spec:
  controllerName: cloudflare-gateway-controller.io/controller
  parametersRef: { group: "", kind: Secret, name: credentials, namespace: shop }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: cloudflare
  listeners:
    - { name: web, port: 80, protocol: HTTP, hostname: www.shop.example }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  rules:
    - matches: [{ path: { type: PathPrefix, value: /cart } }]
      backendRefs: [{ name: cart, port: 80 }]
`;
