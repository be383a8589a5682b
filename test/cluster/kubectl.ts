/** kubectl, the real one, for one cluster. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { run } from './command.ts';

/** Runs kubectl with these arguments, `input` as its standard input, and gives what it printed. Throws with its errors if it failed. */
export type Kubectl = (args: readonly string[], input?: string | object) => Promise<string>;

/** kubectl with a kubeconfig, and nothing of the user's own settings. */
export function kubectlFor(program: string, kubeconfig: string): Kubectl {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  return (args, input) => {
    if (input === undefined) return run(program, args, { env });
    // Lists of objects are given as documents: JSON is YAML.
    const text = typeof input === 'string' ? input : documents(input);
    return run(program, args, { env, input: text });
  };
}

function documents(input: object): string {
  return (Array.isArray(input) ? input : [input]).map((each) => JSON.stringify(each)).join('\n---\n');
}

const ours = fileURLToPath(new URL('../../charts/cloudflare-gateway-controller/files/crds/', import.meta.url));

/** Brings the CRDs of the Gateway API (experimental channel), from the folder of its module, and our own; returns once they are served. */
export async function applyCrds(kubectl: Kubectl, gatewayApi: string): Promise<void> {
  const files = [...yamlIn(gatewayApi), ...yamlIn(ours)];
  const args = files.flatMap((file) => ['-f', file]);
  await kubectl(['apply', '--server-side', '--validate=false', ...args]);
  await established(kubectl);
}

function yamlIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  return names.map((name) => join(folder, name));
}

/** `kubectl wait` gives up at a CRD so new that it has no status yet; a moment later it has. */
async function established(kubectl: Kubectl, left = 10): Promise<void> {
  try {
    await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  } catch (error) {
    if (left === 0) throw error;
    await sleep(200);
    await established(kubectl, left - 1);
  }
}
