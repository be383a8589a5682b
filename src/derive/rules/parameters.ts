import type { CloudflareGatewayParametersSpec } from '../../../imports/cloudflare-gateway-controller.io.ts';
import { tableHash } from '../../table/hash.ts';
import { view, type Read } from '../engine/declare.ts';
import type { Autoscaling, DnsSettings, PlaneSettings, ServiceSettings } from '../plane.ts';
import type { Finding } from '../results.ts';
import { assumed } from './assumption.ts';
import { gatewayClasses, gateways, settings } from './collections.ts';
import { fieldSentence, type FieldProblem } from './fieldproblem.ts';
import { memberOf, presentOf, splitKey } from './members.ts';
import { parametersSource } from './parametersref.ts';
import { placeOf, problem, type Place, type Problem } from './problem.ts';
import { replicaPlacements, replicaProblems } from './replicaplacement.ts';
import { sharingClass } from './sharingclass.ts';
import { rotationProblems, tokenRotation } from './tokenrotation.ts';
import { yes, type Verdict } from './verdict.ts';

/** What a Gateway's parameters came to: settings where the verdict is True. */
export interface Parameters {
  readonly verdict: Verdict;
  readonly settings?: PlaneSettings;
  /** All that keeps the verdict from being True. */
  readonly problems: readonly Problem[];
  /** What a person should know though it stands in nobody's way. */
  readonly remarks: readonly Finding[];
}

/** Who holds the parameters of a Gateway, as in messages and findings. */
interface Holder {
  readonly spec: CloudflareGatewayParametersSpec;
  readonly words: string;
  readonly at: Place;
  readonly base: readonly string[];
}

/**
 * The settings of the plane a Gateway asks for: those of the parameters it names, else the controller's `gatewayDefaults`. The
 * two are never mixed. Source: gateway parameters, "CloudflareGatewayParameters"; decisions, "Defaults for Gateways".
 */
export const planeSettings = view('planeSettings', (key, read): Parameters => {
  const source = read(parametersSource, key);
  if (source.kind === 'problem') return refused([source.problem]);
  const remarks = source.kind === 'assumed' ? [assumed(placeOf('Gateway', key), source.object)] : [];
  if (source.kind === 'assumed') return accepted(settingsOf(key, {}, read), remarks);
  const holder = source.kind === 'found' ? ofParameters(source.key, source.spec) : ofDefaults(read);
  const problems = fieldProblems(holder.spec).map((each) =>
    problem(placeAt(holder, each), 'InvalidParameters', fieldSentence(holder.words, holder.base, each)),
  );
  if (problems.length > 0) return refused(problems);
  return accepted(settingsOf(key, holder.spec, read), []);
});

function accepted(given: PlaneSettings, remarks: readonly Finding[]): Parameters {
  return { verdict: yes('Accepted', 'the parameters are valid'), settings: given, problems: [], remarks };
}

function refused(problems: readonly Problem[]): Parameters {
  const [first] = problems;
  if (first === undefined) throw new Error('refused without a reason');
  return { verdict: first.verdict, problems, remarks: [] };
}

function ofParameters(key: string, spec: CloudflareGatewayParametersSpec): Holder {
  const kind = 'CloudflareGatewayParameters';
  return { spec, words: `${kind} ${key}`, at: placeOf(kind, key), base: ['spec'] };
}

function ofDefaults(read: Read): Holder {
  const { gatewayDefaults } = memberOf(settings, 'settings', read).spec;
  return {
    spec: gatewayDefaults,
    words: 'the controller setting',
    at: placeOf('ControllerSettings', 'settings'),
    base: ['gatewayDefaults'],
  };
}

function placeAt({ at, base }: Holder, { path }: FieldProblem): Place {
  return { ...at, path: [...base, ...path] };
}

function fieldProblems({ tunnel }: CloudflareGatewayParametersSpec): readonly FieldProblem[] {
  const seconds = tunnel?.minReadySeconds;
  const notSeconds =
    seconds === undefined || (Number.isInteger(seconds) && seconds >= 0)
      ? []
      : [{ path: ['tunnel', 'minReadySeconds'], message: `is ${seconds}; give whole seconds, 0 or more` }];
  return [...notSeconds, ...rotationProblems(tunnel?.token?.rotation), ...replicaProblems(tunnel?.replicas)];
}

function settingsOf(
  key: string,
  { dns, service, tunnel = {} }: CloudflareGatewayParametersSpec,
  read: Read,
): PlaneSettings {
  const { images, imagePullSecrets, clusterDomain, controllerNamespace } = memberOf(settings, 'settings', read).spec;
  return {
    ...identity(key, read),
    // A connector that runs cannot change its protocol, so auto is decided here. Decisions, "Transport".
    protocol: tunnel.protocol === 'quic' ? 'quic' : 'http2',
    loadBalancing: tunnel.loadBalancing === 'Endpoints' ? 'Endpoints' : 'Service',
    minReadySeconds: tunnel.minReadySeconds ?? 600,
    ...whereSet<PlaneSettings>({
      resources: tunnel.resources === undefined ? undefined : { ...tunnel.resources },
      autoscaling: autoscalingOf(tunnel.autoscaling),
      service: service === undefined ? undefined : serviceOf(service),
      tokenRotation: tokenRotation(tunnel.token?.rotation),
    }),
    patches: tunnel.patches ?? [],
    replicas: replicaPlacements(tunnel.replicas),
    dns: dnsOf(dns),
    images,
    imagePullSecrets,
    clusterDomain,
    controllerNamespace,
  };
}

/** The tunnel's name lets a rebuilt cluster adopt its tunnels; the uid, where there is one, keeps the drain address from being guessed. */
function identity(key: string, read: Read): Pick<PlaneSettings, 'tunnelName' | 'drainPart'> {
  const { clusterName } = memberOf(settings, 'settings', read).spec;
  const { namespace, name } = splitKey(key);
  const shared = read(sharingClass, key);
  const part = shared === undefined ? `namespaces/${namespace}/gateways/${name}` : `classes/${shared}`;
  const owner = shared === undefined ? presentOf(gateways, key, read) : presentOf(gatewayClasses, shared, read);
  const tunnelName = `cloudflare-gateway-controller.io/clusters/${clusterName}/${part}`;
  return { tunnelName, drainPart: tableHash(`drain ${owner?.metadata.uid ?? tunnelName}`).slice(0, 32) };
}

function dnsOf(dns: CloudflareGatewayParametersSpec['dns']): DnsSettings {
  if (dns === undefined) return { mode: 'all' };
  const zones = dns.zones.map(({ name }) => name.toLowerCase());
  return zones.length === 0 ? { mode: 'off' } : { mode: 'zones', zones };
}

/** What does not belong to the type is left out: the API server would refuse the Service for it. */
function serviceOf({
  type = 'ClusterIP',
  annotations = {},
  loadBalancerClass,
  externalTrafficPolicy = 'Cluster',
}: NonNullable<CloudflareGatewayParametersSpec['service']>): ServiceSettings {
  return {
    type,
    annotations,
    ...(type !== 'LoadBalancer' || loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    ...(type === 'ClusterIP' ? {} : { externalTrafficPolicy }),
  };
}

function autoscalingOf(
  given: NonNullable<CloudflareGatewayParametersSpec['tunnel']>['autoscaling'],
): Autoscaling | undefined {
  if (given?.enabled !== true) return undefined;
  const { minAllowed, maxAllowed, controlledResources, controlledValues } = given;
  // Facts are plain JSON, where the imported types wrap a quantity in an object of their own.
  return whereSet({ minAllowed, maxAllowed, controlledResources, controlledValues }) as object;
}

/** The fields that have a value: a setting that is not made is left out. */
function whereSet<T>(fields: { readonly [K in keyof T]?: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
