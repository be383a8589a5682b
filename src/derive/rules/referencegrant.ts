import { groups } from '../../api/names.ts';
import { index, type Read } from '../engine/declare.ts';
import { referenceGrants } from './collections.ts';
import { memberOf } from './members.ts';

/** Who refers. */
export interface Referrer {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
}

/** What is referred to. */
export interface Referent extends Referrer {
  readonly name: string;
}

/** Whether a reference into another namespace is permitted; `unknown` carries why that cannot be told. */
export type Grant = 'granted' | 'refused' | { readonly unknown: string };

/** ReferenceGrants by their namespace, which is that of the objects they open. */
export const grantsByNamespace = index('grantsByNamespace', referenceGrants, (key) => [key.slice(0, key.indexOf('/'))]);

/**
 * A reference within one namespace needs no grant; any other needs one in the namespace referred to that names both sides.
 * `coreSpellings` widens the spellings of the core group where a seed tolerates `core`. Spec: ReferenceGrant.
 */
export function grants(
  from: Referrer,
  to: Referent,
  read: Read,
  coreSpellings: readonly string[] = [groups.core],
): Grant {
  if (from.namespace === to.namespace) return 'granted';
  const isGroup = (written: string, group: string): boolean =>
    group === groups.core ? coreSpellings.includes(written) : written === group;
  const granted = read(grantsByNamespace, to.namespace).some((key) => {
    const { spec } = memberOf(referenceGrants, key, read);
    return (
      spec.from.some(
        (each) => isGroup(each.group, from.group) && each.kind === from.kind && each.namespace === from.namespace,
      ) &&
      spec.to.some(
        (each) => isGroup(each.group, to.group) && each.kind === to.kind && (each.name ?? to.name) === to.name,
      )
    );
  });
  if (granted) return 'granted';
  return read.all(referenceGrants).when<Grant>({
    present: () => 'refused',
    absent: () => 'refused',
    unknown: (why) => ({ unknown: why }),
  });
}
