/** One pass for a data plane: look, plan, carry out, look again. What fails for one hostname or part stops no other. */
import { groupsOf, isRecordStep, refusedForOne } from './batch.ts';
import type { RecordStep } from './batch.ts';
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
  carryOutTogether(life: TunnelLife, steps: readonly RecordStep[]): Promise<void>;
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
  for (const group of groupsOf(steps)) {
    const reports = await carryOutGroup(plane, life, group);
    done.push(...reports);
    if (reports.some(({ step, problem }) => problem !== undefined && endsThePass(step, problem, life))) break;
  }
  return done;
}

async function carryOutGroup(plane: Plane, life: TunnelLife, group: readonly Step[]): Promise<StepReport[]> {
  const together = group.filter(isRecordStep);
  if (group.length > 1 && together.length === group.length) {
    const problem = await problemIn(() => plane.carryOutTogether(life, together));
    if (problem === undefined || !refusedForOne.has(problem.reason))
      return group.map((step) => stepReport(step, problem));
  }
  const reports: StepReport[] = [];
  for (const step of group) {
    const problem = await problemIn(() => plane.carryOut(life, step));
    reports.push(stepReport(step, problem));
    if (problem !== undefined && endsThePass(step, problem, life)) break;
  }
  return reports;
}

function stepReport(step: Step, problem: Problem | undefined): StepReport {
  return { step, text: printStep(step), ...(problem === undefined ? {} : { problem }) };
}

async function problemIn(action: () => Promise<void>): Promise<Problem | undefined> {
  try {
    await action();
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
