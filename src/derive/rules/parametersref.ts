import type { CloudflareGatewayParametersSpec } from '../../../imports/cloudflare-gateway-controller.io.ts';
import { groups } from '../../api/names.ts';
import { view } from '../engine/declare.ts';
import { assumes } from './assumption.ts';
import { cloudflareGatewayParameters, gateways } from './collections.ts';
import { presentOf, splitKey } from './members.ts';
import { pending, placeOf, problem, type Problem } from './problem.ts';

/** What a Gateway names as its parameters. */
export type ParametersSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly key: string; readonly spec: CloudflareGatewayParametersSpec }
  /** Taken to exist with every default: `<Kind> <namespace>/<name>`. */
  | { readonly kind: 'assumed'; readonly object: string }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Spec: GatewayInfrastructure.parametersRef; gateway parameters, "Credentials": an object of the Gateway's own namespace. */
export const parametersSource = view('parametersSource', (key, read): ParametersSource => {
  const ref = presentOf(gateways, key, read)?.spec.infrastructure?.parametersRef;
  if (ref === undefined) return { kind: 'none' };
  const at = placeOf('Gateway', key, 'spec', 'infrastructure', 'parametersRef');
  if (ref.group !== groups.parameters || ref.kind !== 'CloudflareGatewayParameters')
    return refused(problem(at, 'InvalidParameters', unsupported(ref.group, ref.kind)));
  const named = `${splitKey(key).namespace}/${ref.name}`;
  return read(cloudflareGatewayParameters, named).when<ParametersSource>({
    present: ({ spec }) => ({ kind: 'found', key: named, spec: spec ?? {} }),
    absent: () => refused(problem(at, 'InvalidParameters', absent(named))),
    unknown: (why) =>
      assumes(read)
        ? { kind: 'assumed', object: `CloudflareGatewayParameters ${named}` }
        : refused(pending(at, `CloudflareGatewayParameters ${named} cannot be read: ${why}`)),
  });
});

function refused(reason: Problem): ParametersSource {
  return { kind: 'problem', problem: reason };
}

function unsupported(group: string, kind: string): string {
  const isHandedOver = group === groups.class && kind === 'GatewayConfig';
  const why = isHandedOver
    ? 'which hands over a tunnel by its token, while this version makes the tunnel of a Gateway itself'
    : 'which holds no parameters of a Gateway';
  return `spec.infrastructure.parametersRef names a ${group === groups.core ? '' : `${group}/`}${kind}, ${why}; name a CloudflareGatewayParameters of group ${groups.parameters}`;
}

function absent(key: string): string {
  return `spec.infrastructure.parametersRef names CloudflareGatewayParameters ${key}, which does not exist; create it, or correct the name`;
}
