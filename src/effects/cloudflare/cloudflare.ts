/** The way in: Cloudflare as one controller uses it, an account for each pair of API token and account id, one budget for each token. */
import { createHash } from 'node:crypto';
import { createAccountMemory, observe } from './account.ts';
import type { Account } from './account.ts';
import { carryOutTogether } from './batch.ts';
import type { RecordStep } from './batch.ts';
import { createBudget, defaultLimits } from './budget.ts';
import type { BudgetLimits, CallBudget } from './budget.ts';
import { carryOut } from './carryout.ts';
import { createClient } from './client.ts';
import type { FetchSettings } from './curedfetch.ts';
import { createPatience } from './memory.ts';
import type { CloudflareObserved } from './observed.ts';
import { runPass } from './pass.ts';
import type { CloudflareReport } from './pass.ts';
import type { Step, TunnelLife } from './step.ts';

/** The two keys of a credentials Secret. Source: gateway parameters, "Credentials". */
export interface Credentials {
  readonly token: string;
  readonly accountId: string;
}

export interface CloudflareSettings {
  /** Another API than the real one: that of a test. */
  readonly baseUrl?: string;
  /** Ends every call under way: the operator stops or loses its lease. */
  readonly signal?: AbortSignal;
  /** Milliseconds for one call; 15 s. */
  readonly timeoutMs?: number;
  /** Milliseconds that what was read is good for; five minutes. */
  readonly lifetimeMs?: number;
  readonly limits?: BudgetLimits;
  /** Milliseconds before each repetition of a read that failed; twice. */
  readonly readRetries?: readonly number[];
  readonly recordsPerPage?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** For metrics: a call that was made, with its HTTP status or 0. */
  readonly onCall?: NonNullable<FetchSettings['onCall']>;
  /** For metrics: a call that the memory saved. */
  readonly onSkip?: () => void;
}

export interface CloudflareAccount {
  /** What Cloudflare holds for a plane; from memory where it is younger than five minutes. */
  observe(life: TunnelLife): Promise<CloudflareObserved>;
  /** One step of a plan. Throws a CloudflareFailure. */
  carryOut(life: TunnelLife, step: Step): Promise<void>;
  /** Look, plan, carry out, look again. */
  pass(life: TunnelLife): Promise<CloudflareReport>;
  /** When something that failed may be tried again; undefined where nothing waits. Milliseconds since the epoch. */
  retryAt(): number | undefined;
  callsLeft(): number;
}

export interface Cloudflare {
  /** The account of these credentials: the same one, with its memory, for the same credentials. */
  account(credentials: Credentials): CloudflareAccount;
  /** Forgets accounts that are not among these: their Secret has changed or is gone. */
  keepOnly(credentials: readonly Credentials[]): void;
}

const realApi = 'https://api.cloudflare.com/client/v4';

export function createCloudflare(settings: CloudflareSettings = {}): Cloudflare {
  const now = settings.now ?? Date.now;
  const budgets = new Map<string, CallBudget>();
  const accounts = new Map<string, CloudflareAccount>();
  return {
    account(credentials) {
      const { token, accountId } = credentials;
      const budget = remember(budgets, hashOf(token), () => createBudget(settings.limits ?? defaultLimits, now));
      return remember(accounts, keyOf({ token, accountId }), () =>
        accountOf({ token, accountId }, budget, { ...settings, now }),
      );
    },
    keepOnly(credentials) {
      const kept = new Set(credentials.map(keyOf));
      for (const key of accounts.keys()) if (!kept.has(key)) accounts.delete(key);
      const tokens = new Set(credentials.map(({ token }) => hashOf(token)));
      for (const key of budgets.keys()) if (!tokens.has(key)) budgets.delete(key);
    },
  };
}

function accountOf(
  credentials: Credentials,
  budget: CallBudget,
  settings: CloudflareSettings & { readonly now: () => number },
): CloudflareAccount {
  const { now, signal, onCall, onSkip } = settings;
  const account: Account = {
    client: createClient({
      ...credentials,
      baseUrl: settings.baseUrl ?? realApi,
      budget,
      now,
      timeoutMs: settings.timeoutMs ?? 15_000,
      readRetries: settings.readRetries ?? [250, 1000],
      recordsPerPage: settings.recordsPerPage ?? 1000,
      ...(signal === undefined ? {} : { signal }),
      ...(onCall === undefined ? {} : { onCall }),
    }),
    memory: createAccountMemory({
      now,
      lifetimeMs: settings.lifetimeMs ?? 300_000,
      ...(onSkip === undefined ? {} : { onHit: onSkip }),
    }),
    patience: createPatience(now),
  };
  const plane = {
    observe: (life: TunnelLife) => observe(account, life),
    carryOut: (life: TunnelLife, step: Step) => carryOut(account, life, step),
    carryOutTogether: (life: TunnelLife, steps: readonly RecordStep[]) => carryOutTogether(account, life, steps),
  };
  return {
    observe: plane.observe,
    carryOut: plane.carryOut,
    pass: (life) => runPass(plane, life),
    retryAt: () => account.patience.earliest(),
    callsLeft: () => budget.left(),
  };
}

function keyOf({ token, accountId }: Credentials): string {
  return `${accountId} ${hashOf(token)}`;
}

/** Credentials are no keys of a map that a heap dump or a debugger shows. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function remember<T>(map: Map<string, T>, key: string, make: () => T): T {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}
