import { deploymentName, serviceName } from '../emit/objectnames.ts';
import { view, type Read } from '../engine/declare.ts';
import { cloudflareStates, deployments, type Deployment } from './collections.ts';
import { planeProblem } from './dataplane.ts';
import { serviceAddresses } from './gatewayaddress.ts';
import { presentOf } from './members.ts';
import { planeOf, planes } from './planes.ts';
import { no, notYet, yes, type Verdict } from './verdict.ts';

/** How far a plane is: from what the cluster and Cloudflare report. */
export interface PlaneProgress {
  /** Whether it serves. Decisions, "Programmed": it never waits for minReadySeconds, nor for DNS. */
  readonly programmed: Verdict;
  /** As kstatus reads it: terminal for what only an edit can mend, under way otherwise. */
  readonly ready: Verdict;
}

/** Gateway parameters, "Conditions of this system": Programmed and Ready. */
export const planeProgress = view('planeProgress', (id, read): PlaneProgress => {
  const unbuilt = read(planeProblem, id);
  if (unbuilt !== undefined) return both(no('Invalid', unbuilt), no('ReconciliationFailed', unbuilt));
  const tunnel = tunnelWait(id, read);
  if (tunnel !== undefined) return tunnel;
  if (read(serviceAddresses, id)?.length === 0) return addressWait(id, read);
  return ofDeployments(id, read);
});

function both(programmed: Verdict, ready: Verdict): PlaneProgress {
  return { programmed, ready };
}

function waiting(message: string): PlaneProgress {
  return both(notYet('Pending', message), notYet('Progressing', message));
}

/** What is awaited of the tunnel; nothing once it is there. */
function tunnelWait(id: string, read: Read): PlaneProgress | undefined {
  const awaited = 'waiting for the tunnel, and for a pod that has loaded the routing table';
  return read(cloudflareStates, id).when<PlaneProgress | undefined>({
    present: ({ spec: { tunnel, tokenHash, problems } }) => {
      if (tunnel !== undefined && tokenHash !== undefined) return undefined;
      const [problem] = problems;
      if (problem === undefined) return waiting('waiting for the tunnel');
      const { message } = problem;
      return problem.kind === 'terminal'
        ? both(no('Pending', message), no('ReconciliationFailed', message))
        : both(notYet('Pending', message), notYet('ProgressingWithRetry', message));
    },
    absent: () => waiting(awaited),
    unknown: () => waiting(awaited),
  });
}

/** Spec: GatewayReasonAddressNotAssigned. */
function addressWait(id: string, read: Read): PlaneProgress {
  const { namespace, name } = read(planeOf, id);
  const message = `waiting for the cluster to give Service ${namespace}/${serviceName({ name })} an address`;
  return both(no('AddressNotAssigned', message), notYet('Progressing', message));
}

function ofDeployments(id: string, read: Read): PlaneProgress {
  if (read(planes, id).length === 0) return waiting('waiting for the data plane');
  const plane = read(planeOf, id);
  const names = plane.settings.replicas.map(({ name }) => deploymentName(plane, name));
  if (names.length === 0)
    return both(
      no('NoResources', 'spec.tunnel.replicas is empty: no pod serves'),
      yes('ReconciliationSucceeded', 'scaled to zero as asked'),
    );
  const states = names.map((name) => read(deploymentState, `${plane.namespace}/${name}`));
  const isServing = states.some(({ ready }) => ready > 0);
  const programmed = isServing
    ? yes('Programmed', 'a pod is ready and serves')
    : notYet('Pending', `waiting for a ready pod of Deployment ${names.join(', ')}`);
  const failed = states.find(({ failure }) => failure !== undefined)?.failure;
  if (failed !== undefined) return both(programmed, no('ReconciliationFailed', failed));
  const pending = states.flatMap(({ awaits }) => awaits ?? []);
  if (pending.length > 0) return both(programmed, notYet('Progressing', pending.join('; ')));
  return both(programmed, yes('ReconciliationSucceeded', 'all Deployments are rolled out'));
}

interface DeploymentState {
  readonly ready: number;
  /** What its roll-out waits for. */
  readonly awaits?: string;
  /** Past its progress deadline. */
  readonly failure?: string;
}

const deploymentState = view('deploymentState', (key, read): DeploymentState => {
  const deployment = presentOf(deployments, key, read);
  if (deployment === undefined) return { ready: 0, awaits: `waiting for Deployment ${key}` };
  const ready = deployment.status?.readyReplicas ?? 0;
  const failure = deadlineExceeded(deployment);
  if (failure !== undefined) return { ready, failure: `Deployment ${key} is past its progress deadline: ${failure}` };
  return isRolledOut(deployment) ? { ready } : { ready, awaits: `waiting for the roll-out of Deployment ${key}` };
});

/** As `kubectl rollout status` tells it. */
function isRolledOut({ status = {}, spec, metadata }: Deployment): boolean {
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  const wanted = spec?.replicas ?? 1;
  return observedGeneration >= (metadata.generation ?? 0) && updatedReplicas >= wanted && availableReplicas >= wanted;
}

function deadlineExceeded({ status = {} }: Deployment): string | undefined {
  return status.conditions?.find(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded')
    ?.message;
}
