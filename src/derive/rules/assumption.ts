import type { Read } from '../engine/declare.ts';
import type { Finding } from '../results.ts';
import { settings } from './collections.ts';
import { memberOf } from './members.ts';
import type { Place } from './problem.ts';

/** True offline, where what nobody keeps with manifests is taken to exist. Decisions, "Offline, unknown is not absent". */
export function assumes(read: Read): boolean {
  return memberOf(settings, 'settings', read).spec.assumeUnknown;
}

/** Says once for each object that it was taken to exist; `object` is `<Kind> <namespace>/<name>`. */
export function assumed(at: Place, object: string): Finding {
  return {
    code: 'Assumed',
    severity: 'note',
    ...at,
    message: `${object} is not among the files and is taken to exist`,
  };
}
