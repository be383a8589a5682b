import { credentialKeys, groups } from '../../api/names.ts';
import { view, type Read } from '../engine/declare.ts';
import type { Finding } from '../results.ts';
import { assumed, assumes } from './assumption.ts';
import { gatewayClassConfigs, gateways, secrets, settings } from './collections.ts';
import { classParameters } from './gatewayclass.ts';
import { memberOf, presentOf, splitKey } from './members.ts';
import { parametersSource } from './parametersref.ts';
import { pending, placeOf, problem, type Place, type Problem } from './problem.ts';
import { grants } from './referencegrant.ts';
import { lacking } from './secretdata.ts';

/** Where the Cloudflare credentials of a Gateway or of a class are, and whether they can be used. */
export interface Credentials {
  /** Key of the Secret; unset where none is named, or what names it cannot be used. */
  readonly secret?: string;
  /** Why they cannot be used, or not be told. */
  readonly problem?: Problem;
  readonly remarks: readonly Finding[];
}

const keys = [credentialKeys.token, credentialKeys.account];

/** The credentials a GatewayClass names. Gateway parameters, "Credentials": "GatewayClass validation". */
export const classCredentials = view('classCredentials', (name, read): Credentials => {
  const at = placeOf('GatewayClass', name, 'spec', 'parametersRef');
  const parameters = read(classParameters, name);
  switch (parameters.kind) {
    case 'none':
    case 'unknown':
      return { remarks: [] };
    case 'invalid':
      return failed(problem(at, 'InvalidParameters', `GatewayClass ${name}: ${parameters.message}`));
    case 'Secret':
      return secretWith(keys, `${parameters.namespace}/${parameters.name}`, at, read);
    case 'GatewayClassConfig':
      return ofConfig(parameters.name, at, read);
  }
});

/** The second system's class: its Secret needs the token only, as the account may be told elsewhere. */
function ofConfig(config: string, at: Place, read: Read): Credentials {
  const { controllerNamespace } = memberOf(settings, 'settings', read).spec;
  return read(gatewayClassConfigs, config).when<Credentials>({
    present: ({ spec: { cloudflareCredentialsSecretRef: ref } }) => {
      const field = placeOf('GatewayClassConfig', config, 'spec', 'cloudflareCredentialsSecretRef');
      return secretWith([ref.key ?? 'api-token'], `${ref.namespace ?? controllerNamespace}/${ref.name}`, field, read);
    },
    absent: () =>
      failed(
        problem(
          at,
          'InvalidParameters',
          `spec.parametersRef of GatewayClass ${at.name} names GatewayClassConfig ${config}, which does not exist; create it, or correct the name`,
        ),
      ),
    unknown: (why) =>
      assumes(read)
        ? { remarks: [assumed(at, `GatewayClassConfig ${config}`)] }
        : failed(pending(at, `GatewayClassConfig ${config} cannot be read: ${why}`)),
  });
}

/**
 * The credentials of a Gateway, the first that are set: those its parameters name, else those of its class. Gateway parameters,
 * "Credentials".
 */
export const credentials = view('credentials', (key, read): Credentials => {
  const source = read(parametersSource, key);
  // What is wrong with the parameters is said with them, and where they are taken to exist, so are the credentials they name.
  if (source.kind === 'problem' || source.kind === 'assumed') return { remarks: [] };
  if (source.kind === 'found' && source.spec.secretRef !== undefined) {
    const secret = `${splitKey(key).namespace}/${source.spec.secretRef.name}`;
    return secretWith(keys, secret, placeOf('CloudflareGatewayParameters', source.key, 'spec', 'secretRef'), read);
  }
  return ofClass(key, read);
});

function ofClass(key: string, read: Read): Credentials {
  const gatewayClass = presentOf(gateways, key, read)?.spec.gatewayClassName ?? '';
  const parameters = read(classParameters, gatewayClass);
  const at = placeOf('Gateway', key);
  if (parameters.kind === 'none') return failed(problem(at, 'InvalidParameters', nowhere(gatewayClass)));
  if (parameters.kind === 'unknown')
    return assumes(read)
      ? { remarks: [assumed(at, `GatewayClass ${gatewayClass} with its credentials`)] }
      : failed(pending(at, `GatewayClass ${gatewayClass} cannot be read: ${parameters.why}`));
  const found = read(classCredentials, gatewayClass);
  if (found.problem !== undefined || parameters.kind !== 'Secret') return { ...found, remarks: [] };
  const from = { group: groups.gateway, kind: 'Gateway', namespace: splitKey(key).namespace };
  const to = { group: groups.core, kind: 'Secret', namespace: parameters.namespace, name: parameters.name };
  const grant = grants(from, to, read);
  // What is assumed of the class is said with the class.
  if (grant === 'granted') return { ...found, remarks: [] };
  const secret = `${to.namespace}/${to.name}`;
  if (grant === 'refused') return failed(problem(at, 'InvalidParameters', notPermitted(gatewayClass, secret, from)));
  if (!assumes(read))
    return failed(pending(at, `whether Secret ${secret} may be used cannot be told: ${grant.unknown}`));
  const grantName = `a ReferenceGrant from Gateways of namespace ${from.namespace} to Secret ${secret}`;
  return { ...found, remarks: [assumed(at, grantName)] };
}

function secretWith(wanted: readonly string[], secret: string, at: Place, read: Read): Credentials {
  return read(secrets, secret).when<Credentials>({
    present: (object) => {
      const lacks = lacking(secret, object, wanted);
      if (lacks === undefined) return { secret, remarks: [] };
      return failed(problem(at, 'InvalidParameters', `${named(at)}: ${lacks}`));
    },
    absent: () =>
      failed(
        problem(
          at,
          'InvalidParameters',
          `${named(at)}: Secret ${secret} does not exist; create it with the ${wanted.length === 1 ? 'key' : 'keys'} ${wanted.join(' and ')}`,
        ),
      ),
    unknown: (why) =>
      assumes(read)
        ? { secret, remarks: [assumed(at, `Secret ${secret}`)] }
        : failed(pending(at, `Secret ${secret} cannot be read: ${why}`)),
  });
}

function failed(reason: Problem): Credentials {
  return { problem: reason, remarks: [] };
}

/** `GatewayClass cloudflare`. */
function named({ kind, namespace, name }: Place): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function nowhere(gatewayClass: string): string {
  return `no Cloudflare credentials are named: set spec.secretRef of a CloudflareGatewayParameters that spec.infrastructure.parametersRef names, or spec.parametersRef of GatewayClass ${gatewayClass}`;
}

function notPermitted(gatewayClass: string, secret: string, { namespace }: { readonly namespace: string }): string {
  return `GatewayClass ${gatewayClass} names Secret ${secret}, which no ReferenceGrant there lets Gateways of namespace ${namespace} use; add one, or name other credentials in parameters of the Gateway`;
}
