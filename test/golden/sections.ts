import { stringify } from 'yaml';
import type { Input } from '../../src/cli/facts.ts';
import type { Derivation } from '../../src/derive/derive.ts';
import type { Finding, PlaneResult, StatusClaim } from '../../src/derive/results.ts';
import { pathText } from '../../src/facts/fieldpath.ts';
import { namespacedName, type KubeObject } from '../../src/facts/object.ts';
import { decode } from '../../src/table/decode.ts';
import { decodeEndpoints } from '../../src/table/endpoints.ts';

/** What is shown of the Kubernetes objects: which there are, or every field of those that are not the table's. */
export type Show = 'names' | 'objects';

/** Everything that follows from the input, as the text of a golden file. */
export function sections(derivation: Derivation, input: Input, show: Show): string {
  const planes = [...derivation.planes()];
  return stringify(
    {
      kube: byPlane(planes, ({ objects }) => objects.map((object) => shown(object, show))),
      table: byPlane(planes, readableTable),
      endpoints: byPlane(planes, ({ endpoints }) => decodeEndpoints(endpoints).backends),
      cloudflare: byPlane(planes, ({ cloudflare: { tunnel, records, document } }) => ({
        tunnel: tunnel.name,
        rules: (document['ingress'] as readonly { hostname?: string }[]).map(({ hostname }) => hostname ?? 'any'),
        records,
      })),
      status: Object.fromEntries([...derivation.statuses()].map(([name, claim]) => [name, readableStatus(claim)])),
      findings: derivation.findings().map((finding) => readableFinding(finding, input)),
      reads: readFacts(derivation),
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}

function byPlane<T>(planes: readonly [string, PlaneResult][], of: (plane: PlaneResult) => T): Record<string, T> {
  return Object.fromEntries(planes.map(([id, plane]) => [id, of(plane)]));
}

function shown(object: KubeObject, show: Show): unknown {
  return show === 'names' || object.kind === 'ConfigMap' ? `${object.kind} ${object.metadata.name}` : object;
}

/** Rows beside what they lead to, and no more of the rules and backends than that. */
function readableTable({ table }: PlaneResult): unknown {
  const { listeners, hosts, rules, backends } = decode(table.text);
  return {
    ...(table.held === undefined ? {} : { held: table.held }),
    listeners,
    hosts: Object.fromEntries(hosts.map(({ host, rows }) => [host, rows])),
    rules,
    backends,
  };
}

interface Conditioned {
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

/** `Accepted: True/Accepted: the route is accepted`, one line a condition. */
function conditions({ conditions: list }: Conditioned): Record<string, string> {
  return Object.fromEntries(list.map(({ type, status, reason, message }) => [type, `${status}/${reason}: ${message}`]));
}

function readableStatus({ status }: StatusClaim): unknown {
  const {
    conditions: own,
    listeners,
    parents,
    // The same for every class: told once, in supportedfeatures.ts.
    supportedFeatures: _,
    ...rest
  } = status as {
    supportedFeatures?: unknown;
    conditions?: Conditioned['conditions'];
    listeners?: readonly (Conditioned & {
      name: string;
      attachedRoutes: number;
      supportedKinds: readonly { kind: string }[];
    })[];
    parents?: readonly (Conditioned & { parentRef: object })[];
  };
  return {
    ...rest,
    ...(own === undefined ? {} : conditions({ conditions: own })),
    ...(listeners === undefined
      ? {}
      : {
          listeners: listeners.map((listener) => ({
            name: listener.name,
            attachedRoutes: listener.attachedRoutes,
            supportedKinds: listener.supportedKinds.map(({ kind }) => kind).join(', '),
            ...conditions(listener),
          })),
        }),
    ...(parents === undefined
      ? {}
      : { parents: parents.map((parent) => ({ parentRef: parent.parentRef, ...conditions(parent) })) }),
  };
}

function readableFinding({ kind, namespace, name, path, ...finding }: Finding, { facts }: Input): unknown {
  const key = namespacedName(namespace, name);
  const place = facts.get(`${kind}/${key}`)?.positionOf(path ?? []);
  return {
    code: finding.code,
    severity: finding.severity,
    object: `${kind} ${key}`,
    ...(place === undefined ? {} : { at: `${place.line}:${place.column}` }),
    ...(path === undefined ? {} : { path: pathText(path) }),
    message: finding.message,
  };
}

/** The objects each view read, where it read any itself: what a view does not need must not be here. */
function readFacts(derivation: Derivation): Record<string, string> {
  const facts = [...derivation.reads()].map(([view, reads]): [string, string] => [
    view,
    reads.filter((read) => isObject(read)).join(', '),
  ]);
  return Object.fromEntries(facts.filter(([, reads]) => reads !== ''));
}

/** Collections have the names of kinds; the settings are read everywhere and are left out. */
function isObject(read: string): boolean {
  return /^[A-Z]/.test(read) && !read.startsWith('ControllerSettings/') && !read.endsWith('/');
}
