/** The real helm: the pinned one where it can be had, since what it prints is compared as text, else the one on the PATH. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { clients } from '../cluster/build/clients.ts';
import { attempt, find, type Ended } from '../cluster/command.ts';

/** The chart's folder, without a slash at its end. */
export const chart = fileURLToPath(new URL('../../charts/cloudflare-gateway-controller', import.meta.url));

export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

let program: Promise<string> | undefined;

/** Runs helm to its end, whatever its exit code. Unpacks it first if this machine never did, which takes some seconds. */
export function helm(...args: readonly string[]): Promise<Ended> {
  return helmIn('/dev/null', ...args);
}

/** The same with a cluster. */
export async function helmIn(kubeconfig: string, ...args: readonly string[]): Promise<Ended> {
  program ??= locate();
  // A user's own plugins, repositories and clusters are none of a test's business.
  const env = { ...process.env, KUBECONFIG: kubeconfig, HELM_NO_PLUGINS: '1' };
  return attempt(await program, args, { env });
}

async function locate(): Promise<string> {
  try {
    return (await clients(() => {})).helm;
  } catch (error) {
    const own = find('helm');
    if (own === undefined)
      throw new Error('there is no helm, neither from its package nor on the PATH', { cause: error });
    return own;
  }
}

/** What `helm template` prints for a release of the name `cfgw` in the namespace `gateways`. Throws with Helm's message if it refuses. */
export async function template(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await helm('template', 'cfgw', chart, '--namespace', 'gateways', ...args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** The objects in what Helm printed. Throws where a key stands twice, which Helm lets pass. */
export function objectsIn(text: string): readonly Rendered[] {
  return parseAllDocuments(text, { uniqueKeys: true }).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const object = document.toJS() as Rendered | null;
    return object === null ? [] : [object];
  });
}

/** A file of the chart. */
export function chartFile(path: string): string {
  return readFileSync(`${chart}/${path}`, 'utf8');
}
