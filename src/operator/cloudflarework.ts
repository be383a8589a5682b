import { credentialKeys } from '../api/names.ts';
import type { PlaneResult } from '../derive/results.ts';
import { cloudflareStates } from '../derive/rules/collections.ts';
import type { CloudflareReport } from '../effects/cloudflare/pass.ts';
import type { TunnelLife } from '../effects/cloudflare/step.ts';
import type { CloudflareState } from '../facts/cloudflarestate.ts';
import type { KubeObject } from '../facts/object.ts';
import type { Parts } from './parts.ts';

/** How long after a pass the next one looks whether anything drifted; what was read is remembered for five minutes anyway. */
const lookAgainMs = 300_000;
const retryMs = 15_000;

/**
 * Brings Cloudflare to what a plane wants, and what Cloudflare holds into the facts. The secret of the connector token stays in memory.
 * Does nothing without credentials: what lacks them is refused by the rules, and what cannot be read is waited for.
 */
export async function workOnCloudflare(
  parts: Parts,
  plane: PlaneResult,
  gone?: TunnelLife['gone'],
): Promise<CloudflareOutcome> {
  const account = accountOf(parts, plane);
  if (account === undefined) return { againMs: retryMs, gone: false, isIncomplete: true };
  const { held } = plane.table;
  const report = await account.pass({
    desired: plane.cloudflare,
    ...(gone === undefined ? {} : { gone }),
    ...(held === undefined || held.length === 0 ? {} : { incomplete: held.join('; ') }),
  });
  tell(parts, plane, report);
  if (report.token !== undefined) parts.tokens.set(plane.plane.id, report.token);
  remember(parts, plane.plane.id, report);
  const isIncomplete = report.problems.length > 0 || report.steps.some(({ problem }) => problem !== undefined);
  const retryInMs = Math.max(retryMs, (account.retryAt() ?? 0) - Date.now());
  return { againMs: isIncomplete ? retryInMs : lookAgainMs, gone: report.gone, isIncomplete };
}

/** What a pass came to: when to look again, whether nothing of the plane is left, whether something could not be done. */
export interface CloudflareOutcome {
  readonly againMs: number;
  readonly gone: boolean;
  readonly isIncomplete: boolean;
}

function accountOf({ store, cloudflare }: Parts, { credentials }: PlaneResult) {
  const secret = credentials === undefined ? undefined : store.get('Secret', credentials);
  const token = secretText(secret, credentialKeys.token);
  const accountId = secretText(secret, credentialKeys.account);
  return token === undefined || accountId === undefined ? undefined : cloudflare.account({ token, accountId });
}

function secretText(secret: KubeObject | undefined, key: string): string | undefined {
  const encoded = (secret?.['data'] as Readonly<Record<string, string>> | undefined)?.[key];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString().trim();
}

function tell({ logger }: Parts, { plane }: PlaneResult, { steps, problems }: CloudflareReport): void {
  for (const { text, problem } of steps) {
    if (problem === undefined) logger.info('cloudflare', { plane: plane.id, step: text });
    else logger.warn('cloudflare', { plane: plane.id, step: text, problem: problem.message });
  }
  for (const { kind, message } of problems) logger.warn('cloudflare', { plane: plane.id, kind, problem: message });
}

/** Only what differs is told to the rules. */
function remember({ store }: Parts, plane: string, report: CloudflareReport): void {
  const state = stateOf(plane, report);
  const before = store.get(cloudflareStates.name, plane);
  if (JSON.stringify(before) !== JSON.stringify(state)) store.set(state);
}

function stateOf(plane: string, { tunnel, token, hostnames, problems }: CloudflareReport): CloudflareState {
  const slash = plane.indexOf('/');
  return {
    apiVersion: 'cloudflare-gateway-controller.io/internal',
    kind: cloudflareStates.name,
    metadata: { namespace: plane.slice(0, slash), name: plane.slice(slash + 1) },
    spec: {
      ...(tunnel === undefined ? {} : { tunnel }),
      ...(token === undefined ? {} : { tokenHash: token.hash }),
      hostnames: hostnames.map(({ hostname, state, message, conflict }) => ({
        hostname,
        state,
        message,
        ...(conflict?.otherTunnel === true ? { otherTunnel: true as const } : {}),
      })),
      problems: problems.map(({ kind, message }) => ({ kind, message })),
    },
  };
}
