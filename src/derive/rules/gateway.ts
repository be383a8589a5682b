import { annotations } from '../../api/names.ts';
import { view } from '../engine/declare.ts';
import { gateways, type Gateway } from './collections.ts';
import { classOwnership, classParameters } from './gatewayclass.ts';
import { listeners } from './listener.ts';
import { presentOf } from './members.ts';
import { planeSettings } from './parameters.ts';
import { no, notYet, yes, type Verdict } from './verdict.ts';

/** Whose a Gateway is: of its class, or `suspended` where the annotation `reconcile: disabled` takes it out of our hands. */
export type GatewayOwnership = 'ours' | 'foreign' | 'absent' | 'suspended' | 'unknown';

export const gatewayOwnership = view('gatewayOwnership', (key, read): GatewayOwnership =>
  read(gateways, key).when<GatewayOwnership>({
    present: ({ spec, metadata }) => {
      const ofClass = read(classOwnership, spec.gatewayClassName);
      // A class nobody has made yet may become anybody's.
      if (ofClass === 'absent') return 'foreign';
      if (ofClass === 'ours' && metadata.annotations?.[annotations.reconcile] === 'disabled') return 'suspended';
      return ofClass;
    },
    absent: () => 'absent',
    unknown: () => 'unknown',
  }),
);

/**
 * Whether a Gateway is accepted. `True` serves; `False` serves nothing; `Unknown` waits for something that cannot be read.
 * Spec: GatewayConditionAccepted; seeds: "spec.tls.frontend is refused", "spec.addresses accepts only the tunnel hostname".
 */
export const gatewayAccepted = view('gatewayAccepted', (key, read): Verdict => {
  const gateway = presentOf(gateways, key, read);
  if (gateway === undefined) return notYet('Pending', `Gateway ${key} cannot be read`);
  const refused = frontendTls(gateway) ?? unsupportedAddress(gateway) ?? annotationProblem(gateway);
  if (refused !== undefined) return refused;
  const parameters = read(classParameters, gateway.spec.gatewayClassName);
  if (parameters.kind === 'invalid')
    return no('InvalidParameters', `GatewayClass ${gateway.spec.gatewayClassName}: ${parameters.message}`);
  const settings = read(planeSettings, key);
  if (settings.verdict.status !== 'True') return settings.verdict;
  return ofListeners(read(listeners, key));
});

/** Seed: the refusal covers the whole Gateway, whatever the block holds. */
function frontendTls({ spec }: Gateway): Verdict | undefined {
  if (spec.tls?.frontend === undefined) return undefined;
  return no(
    'Invalid',
    'spec.tls.frontend is set, but clients complete TLS with the Cloudflare edge and their certificates never come here; remove it and require client certificates at the edge',
  );
}

/** An entry without a type is an IPAddress. Spec: GatewaySpecAddress.type. */
function unsupportedAddress({ spec }: Gateway): Verdict | undefined {
  const other = (spec.addresses ?? []).find(({ type }) => (type ?? 'IPAddress') !== 'Hostname');
  if (other === undefined) return undefined;
  return no(
    'UnsupportedAddress',
    `spec.addresses asks for a ${other.type ?? 'IPAddress'}; a tunnel has only its hostname: remove spec.addresses, or leave one Hostname without a value`,
  );
}

const duration = /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/;

function annotationProblem({ metadata }: Gateway): Verdict | undefined {
  const every = metadata.annotations?.[annotations.reconcileEvery];
  if (every === undefined || duration.test(every)) return undefined;
  return no(
    'InvalidParameters',
    `annotation ${annotations.reconcileEvery} is "${every}", which is no duration; write it as 5m or 1h30m`,
  );
}

/** Seed: one servable listener keeps the Gateway accepted; none refuses it. */
function ofListeners(all: readonly { readonly name: string; readonly accepted: Verdict }[]): Verdict {
  const bad = all.filter(({ accepted }) => accepted.status !== 'True');
  if (bad.length === 0) return yes('Accepted', 'the Gateway is accepted');
  const message = bad.map(({ name, accepted }) => `${name} (${accepted.reason})`).join(', ');
  return bad.length === all.length
    ? no('ListenersNotValid', `no listener can be served: ${message}`)
    : yes('ListenersNotValid', `not served: ${message}`);
}
