/** One pass for a data plane: look, plan, carry out, look again. What fails for one hostname or part stops no other. */
import type { CloudflareObserved, TunnelToken } from './observed.ts';
import { addressOf } from './observed.ts';
import { planCloudflare } from './plan.ts';
import type { CloudflarePlan } from './plan.ts';
import { CloudflareFailure } from './problem.ts';
import type { Problem } from './problem.ts';
import type { HostnameState } from './records.ts';
import { printStep } from './step.ts';
import type { Step, TunnelLife } from './step.ts';

/** How a step went. */
export interface StepReport {
  readonly step: Step;
  readonly text: string;
  /** Left out where it was done. */
  readonly problem?: Problem;
}

/** Everything there is to say of a plane at Cloudflare after a pass. */
export interface CloudflareReport {
  /** Undefined while there is none, or it cannot be told. */
  readonly tunnel?: { readonly id: string; readonly address: string };
  readonly token?: TunnelToken;
  readonly steps: readonly StepReport[];
  readonly hostnames: readonly HostnameState[];
  /** What went wrong, each once. */
  readonly problems: readonly Problem[];
  /** Of a plane that goes: nothing is left. Its finalizer may go. */
  readonly gone: boolean;
}

export interface Plane {
  observe(life: TunnelLife): Promise<CloudflareObserved>;
  carryOut(life: TunnelLife, step: Step): Promise<void>;
}

export async function runPass(plane: Plane, life: TunnelLife): Promise<CloudflareReport> {
  const first = await look(plane, life);
  if (first.plan.steps.length === 0) return report(first, []);
  const steps = await carryOutAll(plane, life, first.plan.steps);
  return report(await look(plane, life), steps);
}

interface Look {
  readonly observed: CloudflareObserved;
  readonly plan: CloudflarePlan;
}

async function look(plane: Plane, life: TunnelLife): Promise<Look> {
  const observed = await plane.observe(life);
  return { observed, plan: planCloudflare(life, observed) };
}

async function carryOutAll(plane: Plane, life: TunnelLife, steps: readonly Step[]): Promise<StepReport[]> {
  const done: StepReport[] = [];
  for (const step of steps) {
    const problem = await tryOut(plane, life, step);
    done.push({ step, text: printStep(step), ...(problem === undefined ? {} : { problem }) });
    if (problem !== undefined && endsThePass(step, problem, life)) break;
  }
  return done;
}

async function tryOut(plane: Plane, life: TunnelLife, step: Step): Promise<Problem | undefined> {
  try {
    await plane.carryOut(life, step);
    return undefined;
  } catch (error) {
    if (error instanceof CloudflareFailure) return error.problem;
    throw error;
  }
}

/** Without a tunnel there is nothing to point at; where a plane goes, each step waits for the one before; and some answers go for all calls. */
function endsThePass(step: Step, { reason }: Problem, { gone }: TunnelLife): boolean {
  const forAll = reason === 'RateLimited' || reason === 'Stopped';
  return forAll || step.kind === 'createTunnel' || (gone !== undefined && step.kind !== 'deleteRecord');
}

function report({ observed, plan }: Look, steps: readonly StepReport[]): CloudflareReport {
  const live = observed.tunnel.state === 'present' && observed.tunnel.value.remote ? observed.tunnel.value : undefined;
  const failures = steps.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  return {
    ...(live === undefined ? {} : { tunnel: { id: live.id, address: addressOf(live.id) } }),
    ...(observed.token.state === 'present' ? { token: observed.token.value } : {}),
    steps,
    hostnames: plan.hostnames.map((state) => withFailure(state, steps)),
    problems: distinct([...failures, ...plan.problems]),
    gone: plan.gone,
  };
}

function withFailure(state: HostnameState, steps: readonly StepReport[]): HostnameState {
  if (state.state !== 'waiting') return state;
  const failed = steps.find(({ step, problem }) => problem !== undefined && namesOf(step) === state.hostname);
  if (failed?.problem === undefined) return state;
  return { ...state, state: 'failed', message: failed.problem.message, problem: failed.problem };
}

function namesOf(step: Step): string | undefined {
  if (step.kind === 'createRecord') return step.hostname;
  return step.kind === 'updateRecord' ? step.record.name : undefined;
}

function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}
