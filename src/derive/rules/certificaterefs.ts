import { groups } from '../../api/names.ts';
import type { FindingCode } from '../../api/findings.ts';
import { view, type Read } from '../engine/declare.ts';
import type { Finding } from '../results.ts';
import { assumed, assumes } from './assumption.ts';
import { gateways, secrets, type Secret } from './collections.ts';
import { presentOf, splitKey } from './members.ts';
import { pemProblem } from './pem.ts';
import { pending, placeOf, problem, type Place, type Problem } from './problem.ts';
import { grants } from './referencegrant.ts';
import { secretText } from './secretdata.ts';

/** What is needed of a reference to a Secret with a certificate. Spec: SecretObjectReference. */
interface CertificateRef {
  readonly group?: string;
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Where a reference stands, and the reason its field has for one that cannot be used. */
interface Slot {
  readonly gateway: string;
  readonly at: Place;
  readonly code: FindingCode;
}

/** What references to certificates came to: each that fails, and what was taken to exist. */
export interface CertificateRefs {
  /** Keys of the Secrets that can be used, in the order they are named. */
  readonly secrets: readonly string[];
  readonly problems: readonly Problem[];
  readonly remarks: readonly Finding[];
}

/**
 * The certificates a listener, `<namespace>/<gateway>/<name>`, names. Through the tunnel nobody sees them, as clients complete TLS with the
 * edge; where the plane has a Service they are shown at its port. Spec: ListenerConditionResolvedRefs; seed: "Certificate references of an unsupported kind".
 */
export const listenerCertificates = view('listenerCertificates', (id, read): CertificateRefs => {
  const slash = id.lastIndexOf('/');
  const gateway = id.slice(0, slash);
  const specs = presentOf(gateways, gateway, read)?.spec.listeners ?? [];
  const index = specs.findIndex(({ name }) => name === id.slice(slash + 1));
  const path = ['spec', 'listeners', index, 'tls', 'certificateRefs'];
  return together(
    (specs[index]?.tls?.certificateRefs ?? []).map((ref, position) =>
      resolve(
        ref,
        { gateway, at: placeOf('Gateway', gateway, ...path, position), code: 'InvalidCertificateRef' },
        read,
      ),
    ),
  );
});

/** The certificate a Gateway shows to its backends; nothing where it names none. Spec: GatewayConditionResolvedRefs. */
export const clientCertificate = view('clientCertificate', (key, read): CertificateRefs | undefined => {
  const ref = presentOf(gateways, key, read)?.spec.tls?.backend?.clientCertificateRef;
  if (ref === undefined) return undefined;
  const at = placeOf('Gateway', key, 'spec', 'tls', 'backend', 'clientCertificateRef');
  return resolve(ref, { gateway: key, at, code: 'InvalidClientCertificateRef' }, read);
});

/** Across namespaces the grant comes first, and must name the very kind; then the kind, which is a core Secret; then the Secret itself. */
function resolve(ref: CertificateRef, { gateway, at, code }: Slot, read: Read): CertificateRefs {
  const { namespace } = splitKey(gateway);
  const to = {
    group: ref.group ?? groups.core,
    kind: ref.kind ?? 'Secret',
    namespace: ref.namespace ?? namespace,
    name: ref.name,
  };
  const key = `${to.namespace}/${to.name}`;
  const grant = grants({ group: groups.gateway, kind: 'Gateway', namespace }, to, read);
  if (grant === 'refused') {
    const missing = `no ReferenceGrant in namespace ${to.namespace} lets Gateways of namespace ${namespace} use ${to.kind} ${to.name} (group "${to.group}"); add one there`;
    return failing(problem(at, 'RefNotPermitted', missing));
  }
  if (to.group !== groups.core || to.kind !== 'Secret')
    return failing(problem(at, code, `${kindText(to)} ${to.name} is no core Secret (group "", kind Secret); name one`));
  if (typeof grant === 'object' && !assumes(read))
    return failing(pending(at, `whether Secret ${key} may be used cannot be told: ${grant.unknown}`));
  return read(secrets, key).when<CertificateRefs>({
    present: (secret) => {
      const why = unusable(secret);
      return why === undefined
        ? { secrets: [key], problems: [], remarks: [] }
        : failing(problem(at, code, `Secret ${key} ${why}`));
    },
    absent: () => failing(problem(at, code, `Secret ${key} does not exist; create it with type kubernetes.io/tls`)),
    unknown: (why) =>
      assumes(read)
        ? { secrets: [], problems: [], remarks: [assumed(at, `Secret ${key}`)] }
        : failing(pending(at, `Secret ${key} cannot be read: ${why}`)),
  });
}

/** The core group has no name. */
function kindText({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return group === groups.core ? kind : `${group}/${kind}`;
}

function unusable(secret: Secret): string | undefined {
  if (secret.type !== 'kubernetes.io/tls')
    return `has type ${secret.type ?? 'Opaque'}, which is not kubernetes.io/tls; create it as a TLS Secret`;
  for (const [key, labels] of Object.entries({ 'tls.crt': certificate, 'tls.key': privateKey })) {
    const text = secretText(secret, key);
    if (text === undefined) return `has nothing under the key ${key}; add it in PEM`;
    const why = pemProblem(text, labels);
    if (why !== undefined) return `has no ${labels[0]} in PEM under the key ${key}: ${why}`;
  }
  return undefined;
}

const certificate = ['CERTIFICATE'];
const privateKey = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'];

function failing(reason: Problem): CertificateRefs {
  return { secrets: [], problems: [reason], remarks: [] };
}

function together(all: readonly CertificateRefs[]): CertificateRefs {
  return {
    secrets: all.flatMap(({ secrets: usable }) => usable),
    problems: all.flatMap(({ problems }) => problems),
    remarks: all.flatMap(({ remarks }) => remarks),
  };
}
