import type { FindingCode } from '../../api/findings.ts';
import { rule, type Read } from '../engine/declare.ts';
import type { Finding } from '../results.ts';
import { assumed } from './assumption.ts';
import { attachments } from './attachment.ts';
import { httpRoutes } from './collections.ts';
import { gatewayOwnership } from './gateway.ts';
import { convertedRules } from './httprouterule.ts';
import type { RuleProblem } from './ruleproblem.ts';
import { memberOf, splitKey } from './members.ts';
import { gatewayOf } from './parentref.ts';
import { placeOf } from './problem.ts';
import { routeShadows, shadowSentence } from './routeshadowed.ts';

/** What a person should know of an HTTPRoute: the sentences of its status, with the fields they are about. */
export const httpRouteFindings = rule('httpRouteFindings', {
  each: httpRoutes,
  emit: (key, read): readonly Finding[] => {
    const subject = { kind: 'HTTPRoute', ...splitKey(key) };
    const parents = read(attachments, key);
    const found: Omit<Finding, 'kind' | 'namespace' | 'name'>[] = [
      ...parents
        .filter(({ verdict }) => verdict.status !== 'True')
        .map(({ index, verdict }) => ({
          code: verdict.reason as FindingCode,
          severity: 'error' as const,
          path: ['spec', 'parentRefs', index],
          message: verdict.message,
        })),
      ...missingParents(key, read),
      ...parents.flatMap(({ assumed: what }) => (what === undefined ? [] : [assumed(placeOf('HTTPRoute', key), what)])),
      // A route nobody of ours serves is not ours to criticise.
      ...(parents.length === 0 ? [] : ofRules(key, read)),
      ...read(routeShadows, key).map((shadow) => ({
        code: 'RouteShadowed' as const,
        severity: 'warning' as const,
        path: ['spec', 'rules', shadow.rule, 'matches', shadow.match],
        message: shadowSentence(shadow),
      })),
    ];
    return found.map((finding) => ({ ...subject, ...finding }));
  },
});

type Found = Omit<Finding, 'kind' | 'namespace' | 'name'>;

/** A parent that is nowhere to be seen: most often a misspelled name. */
function missingParents(key: string, read: Read): readonly Found[] {
  const { namespace } = splitKey(key);
  return (memberOf(httpRoutes, key, read).spec.parentRefs ?? []).flatMap((ref, index) => {
    const gateway = gatewayOf(ref, namespace);
    if (gateway === undefined || read(gatewayOwnership, gateway) !== 'absent') return [];
    const message = `Gateway ${gateway} does not exist; correct the parentRef or add the Gateway`;
    return [{ code: 'ParentNotFound', severity: 'warning', path: ['spec', 'parentRefs', index], message }];
  });
}

function ofRules(key: string, read: Read): readonly Found[] {
  const rules = read(convertedRules, key);
  const assumptions = rules.flatMap((each) => each.assumed.map((object) => assumed(placeOf('HTTPRoute', key), object)));
  return [...rules.flatMap(({ problems }) => problems.map(ofProblem)), ...assumptions];
}

function ofProblem({ kind, reason, path, message }: RuleProblem): Found {
  const severity = kind === 'remark' ? 'warning' : 'error';
  return { code: reason as FindingCode, severity, path, message };
}
