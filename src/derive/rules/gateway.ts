import { annotations } from '../../api/names.ts';
import { view, type Read } from '../engine/declare.ts';
import { gateways, settings, type Gateway } from './collections.ts';
import { credentials } from './credentials.ts';
import { classOwnership, classParameters } from './gatewayclass.ts';
import { listeners } from './listener.ts';
import { memberOf, presentOf, splitKey } from './members.ts';
import { planeSettings } from './parameters.ts';
import { placeOf, problem, type Problem } from './problem.ts';
import { sharingClass } from './sharingclass.ts';
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
  if (presentOf(gateways, key, read) === undefined) return notYet('Pending', `Gateway ${key} cannot be read`);
  const [first] = read(gatewayProblems, key);
  if (first !== undefined) return first.verdict;
  return ofListeners(read(listeners, key));
});

/** All that keeps a Gateway from being accepted apart from its listeners, what is certain before what cannot be told. */
export const gatewayProblems = view('gatewayProblems', (key, read): readonly Problem[] => {
  const gateway = presentOf(gateways, key, read);
  if (gateway === undefined) return [];
  const found = [
    frontendTls(key, gateway),
    unsupportedAddress(key, gateway),
    annotationProblem(key, gateway),
    takenName(key, read),
    ...read(planeSettings, key).problems,
    read(credentials, key).problem,
  ].filter((each) => each !== undefined);
  return [
    ...found.filter(({ verdict }) => verdict.status === 'False'),
    ...found.filter(({ verdict }) => verdict.status !== 'False'),
  ];
});

/** Seed: the refusal covers the whole Gateway, whatever the block holds. */
function frontendTls(key: string, { spec }: Gateway): Problem | undefined {
  if (spec.tls?.frontend === undefined) return undefined;
  return problem(
    placeOf('Gateway', key, 'spec', 'tls', 'frontend'),
    'Invalid',
    'spec.tls.frontend is set, but clients complete TLS with the Cloudflare edge and their certificates never come here; remove it and require client certificates at the edge',
  );
}

/** An entry without a type is an IPAddress. Spec: GatewaySpecAddress.type. */
function unsupportedAddress(key: string, { spec }: Gateway): Problem | undefined {
  const index = (spec.addresses ?? []).findIndex(({ type }) => (type ?? 'IPAddress') !== 'Hostname');
  if (index < 0) return undefined;
  return problem(
    placeOf('Gateway', key, 'spec', 'addresses', index),
    'UnsupportedAddress',
    `spec.addresses asks for an address of type ${spec.addresses?.[index]?.type ?? 'IPAddress'}; a tunnel has only its hostname: remove spec.addresses, or leave one Hostname without a value`,
  );
}

const duration = /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/;

function annotationProblem(key: string, { metadata }: Gateway): Problem | undefined {
  const every = metadata.annotations?.[annotations.reconcileEvery];
  if (every === undefined || duration.test(every)) return undefined;
  return problem(
    placeOf('Gateway', key, 'metadata', 'annotations', annotations.reconcileEvery),
    'InvalidParameters',
    `annotation ${annotations.reconcileEvery} is "${every}", which is no duration; write it as 5m or 1h30m`,
  );
}

/** The plane that a class shares has the name of the class, so that a Gateway there cannot have it too. */
function takenName(key: string, read: Read): Problem | undefined {
  const { namespace, name } = splitKey(key);
  if (namespace !== memberOf(settings, 'settings', read).spec.controllerNamespace) return undefined;
  if (read(sharingClass, key) !== undefined || read(classOwnership, name) !== 'ours') return undefined;
  if (read(classParameters, name).kind !== 'GatewayClassConfig') return undefined;
  return problem(
    placeOf('Gateway', key, 'metadata', 'name'),
    'InvalidParameters',
    `Gateway ${key} would have the name of the data plane that the Gateways of GatewayClass ${name} share in this namespace; give it another name or namespace`,
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
