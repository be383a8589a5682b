/**
 * Names of everything a data plane becomes. They are a contract (gateway parameters, "Names"): `gateway-<gateway>` and what follows from it.
 * A name that would be too long is cut and told apart by a hash; it never comes to the API server's refusal.
 */
import { tableHash } from '../../table/hash.ts';
import type { Plane } from '../plane.ts';

/** Characters: of a name that becomes part of pod names or a label value, and of any other name. */
export const longest = { label: 63, name: 253 } as const;

const hashDigits = 12;
/** How a shortened name ends. A name that ends so by itself is shortened too, so that it can never be another's shortened form. */
const shortenedEnd = new RegExp(`-[0-9a-f]{${hashDigits}}$`);
/** Suffixes of ours. Gateway `web-endpoints` must not own the ConfigMap that is the endpoints document of Gateway `web`. */
const ownSuffix = /-(endpoints|certificates|table-\d)$/;
/** A suffix up to this length stays readable in a shortened name. */
const readableSuffix = 20;

/**
 * `<prefix>-<name>[-<suffix>]`, or its beginning and a hash of the three where that is longer than `max`. Equal input gives equal names on
 * every machine; different names give different ones, as do a name and a name with one of our own suffixes.
 */
export function objectName(prefix: string, name: string, suffix = '', max: number = longest.name): string {
  const plain = [prefix, name, suffix].filter((part) => part !== '').join('-');
  const isAmbiguous = shortenedEnd.test(plain) || (suffix === '' && ownSuffix.test(plain));
  if (plain.length <= max && !isAmbiguous) return plain;
  const tail = suffix !== '' && suffix.length <= readableSuffix ? `-${suffix}` : '';
  const hash = tableHash(JSON.stringify([prefix, name, suffix])).slice(0, hashDigits);
  return shortened(tail === '' ? plain : `${prefix}-${name}`, `${tail}-${hash}`, max);
}

/** The text as a label value: itself where it may be one, else its beginning and a hash. */
export function labelValue(text: string): string {
  if (text.length <= longest.label && !shortenedEnd.test(text)) return text;
  return shortened(text, `-${tableHash(text).slice(0, hashDigits)}`, longest.label);
}

/** What is cut must still end in a letter or digit, as a dot before a hyphen is no DNS name. */
function shortened(text: string, tail: string, max: number): string {
  return `${text.slice(0, max - tail.length).replace(/[^a-z0-9]+$/i, '')}${tail}`;
}

const prefix = 'gateway';

/** Name of the token Secret, ServiceAccount, NetworkPolicy, PodDisruptionBudget and of the table's first ConfigMap. */
export function planeName(plane: Pick<Plane, 'name'>): string {
  return objectName(prefix, plane.name);
}

/** ConfigMap of part `index` of the table: most tables have only part 0. */
export function tableName(plane: Pick<Plane, 'name'>, index: number): string {
  return index === 0 ? planeName(plane) : objectName(prefix, plane.name, `table-${index}`);
}

export function endpointsName(plane: Pick<Plane, 'name'>): string {
  return objectName(prefix, plane.name, 'endpoints');
}

/** Secret with the certificates that the proxy serves and dials with; the operator fills it. */
export function certificatesName(plane: Pick<Plane, 'name'>): string {
  return objectName(prefix, plane.name, 'certificates');
}

/** Name of the Service: a DNS label, which has no dots. Where that makes another name of it, a hash tells it from a plane that has that name. */
export function serviceName(plane: Pick<Plane, 'name'>): string {
  const name = plane.name.replaceAll('.', '-');
  if (name === plane.name) return objectName(prefix, name, '', longest.label);
  return shortened(`${prefix}-${name}`, `-${tableHash(plane.name).slice(0, hashDigits)}`, longest.label);
}

/** Name of a Deployment and of its VerticalPodAutoscaler; pod names begin with it. */
export function deploymentName(plane: Pick<Plane, 'name'>, replica: string): string {
  return objectName(prefix, plane.name, replica, longest.label);
}
