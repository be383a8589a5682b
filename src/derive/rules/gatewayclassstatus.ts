import { conditionTypes } from '../../api/conditions.ts';
import { rule, view } from '../engine/declare.ts';
import type { Finding, StatusClaim } from '../results.ts';
import { gatewayClasses } from './collections.ts';
import { classCredentials } from './credentials.ts';
import { classOwnership } from './gatewayclass.ts';
import { memberOf } from './members.ts';
import { findingOf } from './problem.ts';
import { supportedFeatures } from './supportedfeatures.ts';
import { condition, no, notYet, yes, type Verdict } from './verdict.ts';

/**
 * Status of a GatewayClass of ours. SupportedVersion is told by the CRDs that are installed, which only a cluster has: without
 * them nothing is said of it. Spec: GatewayClassStatus; gateway parameters, "Conditions of this system".
 */
export const gatewayClassStatus = rule('gatewayClassStatus', {
  each: gatewayClasses,
  emit: (name, read): StatusClaim | undefined => {
    if (read(classOwnership, name) !== 'ours') return undefined;
    const { apiVersion, kind, metadata } = memberOf(gatewayClasses, name, read);
    const accepted = read(classAccepted, name);
    const conditions = [
      condition(conditionTypes.accepted, accepted, metadata.generation),
      condition(conditionTypes.ready, ready(accepted), metadata.generation),
    ];
    return { apiVersion, kind, name, status: { conditions, supportedFeatures } };
  },
});

/** Spec: GatewayClassConditionAccepted; gateway parameters, "GatewayClass validation". */
const classAccepted = view(
  'classAccepted',
  (name, read): Verdict => read(classCredentials, name).problem?.verdict ?? yes('Accepted', 'the class is accepted'),
);

/** As kstatus reads it; a class fails for the reason it is not accepted for. */
function ready({ status, reason, message }: Verdict): Verdict {
  if (status === 'False') return no(reason, message);
  return status === 'True' ? yes('ReconciliationSucceeded', message) : notYet('Progressing', message);
}

/** What a person should know of a GatewayClass: the sentence of its status. */
export const gatewayClassFindings = rule('gatewayClassFindings', {
  each: gatewayClasses,
  emit: (name, read): readonly Finding[] => {
    if (read(classOwnership, name) !== 'ours') return [];
    const { problem, remarks } = read(classCredentials, name);
    return [...(problem === undefined ? [] : [findingOf(problem)]), ...remarks];
  },
});
