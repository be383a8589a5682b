import type { KubeObject } from '../object.ts';
import { channelSchemas, type Channel } from './channels.ts';
import { withCoreDefaults } from './core-defaults.ts';
import { checkCore } from './core-rules.ts';
import { withDefaults } from './defaults.ts';
import { lookUpKind, type KindSchema } from './kinds.ts';
import { checkMetadata } from './metadata.ts';
import { checkRules } from './rules.ts';
import { pathText, type Path } from '../fieldpath.ts';
import { copyOf, isRecord, type Issue, type Report, type Rule, type Schema } from './schema.ts';
import { checkStructure } from './structure.ts';
import { checkUnknownFields, prune } from './unknown-fields.ts';

export type { Issue } from './schema.ts';

/** What the check of one object found. */
export interface Checked {
  /**
   * The object as the API server would store it: defaults applied, `apiVersion` that of the preferred served version. If there
   * are errors, it is what could be read of it, and nothing may rely on its shape.
   */
  readonly object: KubeObject;
  readonly issues: readonly Issue[];
  /** A sentence for each CEL rule that could not be evaluated. */
  readonly notChecked: readonly string[];
}

export interface CheckOptions {
  /**
   * Which channel of the Gateway API the cluster has. `auto` is for files whose cluster is not known: what both channels
   * refuse is an error, what one refuses a warning, and a field that only the Experimental one has is noted.
   */
  readonly channel: 'auto' | Channel;
}

/**
 * Checks an object as `kubectl apply` with strict validation does: unknown fields, structure, defaults, names and CEL rules.
 * Never throws, whatever it is given.
 */
export function checkObject(object: unknown, options: CheckOptions = { channel: 'auto' }): Checked {
  const typed = typeOf(object);
  if (!('lookup' in typed)) return { object: shell(object), issues: [typed], notChecked: [] };
  const { fields, lookup } = typed;
  if (lookup.is === 'known') return checkKnown(fields, lookup.kind, options.channel);
  const issue: Issue =
    lookup.is === 'wrong'
      ? { severity: 'error', path: ['kind'], message: lookup.message }
      : {
          severity: 'note',
          path: [],
          message: `kind ${String(fields['kind'])} is not read by this controller, ignored`,
        };
  return { object: shell(fields), issues: [issue], notChecked: [] };
}

type Fields = Readonly<Record<string, unknown>>;

function typeOf(object: unknown): Issue | { readonly fields: Fields; readonly lookup: ReturnType<typeof lookUpKind> } {
  if (!isRecord(object)) return { severity: 'error', path: [], message: 'is no Kubernetes object: it is no mapping' };
  const { apiVersion, kind } = object;
  for (const [name, value] of Object.entries({ apiVersion, kind })) {
    if (typeof value !== 'string' || value === '')
      return { severity: 'error', path: [name], message: 'is required and must be a string' };
  }
  return { fields: object, lookup: lookUpKind(String(apiVersion), String(kind)) };
}

/** An object of which nothing is known but that it must have the fields every object has. */
function shell(object: unknown): KubeObject {
  const fields = isRecord(object) ? object : {};
  const metadata = isRecord(fields['metadata']) ? fields['metadata'] : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    ...(copyOf(fields) as Fields),
    apiVersion: text(fields['apiVersion']),
    kind: text(fields['kind']),
    metadata: { ...(copyOf(metadata) as Fields), name: text(metadata['name']) },
  };
}

function checkKnown(given: Fields, kind: KindSchema, channel: CheckOptions['channel']): Checked {
  const { fields, issues: placed } = withoutNamespace(given, kind);
  const schemas = channelSchemas(kind);
  const notChecked: string[] = [];
  const auto = channel === 'auto' && schemas.differ;
  const schema = channel === 'standard' ? schemas.standard : schemas.experimental;
  const main = examine(fields, kind, { schema, rules: schema, notChecked });
  const issues = auto
    ? bothChannels(main.findings, standardView(fields, kind, notChecked), schemas.experimental)
    : main.findings.map((found) => error(found));
  const version = kind.group === '' ? kind.versions[0] : `${kind.group}/${kind.versions[0]}`;
  const shown = kind.kind === 'Secret' ? issues.map((issue) => withoutSecret(issue)) : issues;
  return { object: shell({ ...main.object, apiVersion: version }), issues: [...placed, ...shown], notChecked };
}

/** The API server clears the namespace of an object that belongs to none. */
function withoutNamespace(
  fields: Fields,
  kind: KindSchema,
): { readonly fields: Fields; readonly issues: readonly Issue[] } {
  const { metadata } = fields;
  if (kind.scope !== 'Cluster' || !isRecord(metadata) || !metadata['namespace']) return { fields, issues: [] };
  const { namespace: _, ...rest } = metadata;
  const message = `is ignored: a ${kind.kind} belongs to no namespace; remove it`;
  return {
    fields: { ...fields, metadata: rest },
    issues: [{ severity: 'warning', path: ['metadata', 'namespace'], message }],
  };
}

interface Finding {
  readonly path: Path;
  readonly message: string;
  readonly rule?: Rule;
}

interface View {
  readonly schema: Schema;
  /** The schema whose CEL rules are checked. */
  readonly rules: Schema;
  readonly notChecked: string[];
}

/** One channel's verdict, in the order the API server comes to it: unknown fields, defaults, structure, names, rules. */
function examine(
  fields: Fields,
  kind: KindSchema,
  view: View,
): { readonly object: Fields; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const report: Report = (path, message, rule) =>
    findings.push(rule === undefined ? { path, message } : { path, message, rule });
  checkUnknownFields(fields, view.schema, report);
  const unknown = findings.length;
  const defaulted = withDefaults(fields, view.schema) as Fields;
  checkStructure(defaulted, view.schema, report);
  const sound = findings.length === unknown;
  const object = sound && isCore(kind) ? withCoreDefaults(defaulted, kind.kind) : defaulted;
  checkMetadata(object['metadata'], kind, report);
  if (sound && isCore(kind)) checkCore(object, kind.kind, report);
  const structural = findings.slice(unknown);
  checkRules(object, view.rules, {
    report,
    broken: (path) => structural.some((found) => startsWith(found.path, path)),
    skipped: (message) => view.notChecked.push(message),
  });
  return { object, findings };
}

/** Kubernetes' own kinds are checked by code where a CRD has rules. */
function isCore(kind: KindSchema): boolean {
  return kind.source.startsWith('k8s.io/kubernetes ');
}

interface StandardView {
  readonly dropped: readonly Path[];
  readonly findings: readonly Finding[];
}

/** What a Standard-channel cluster would say of an object, had it dropped the fields it does not know. */
function standardView(fields: Fields, kind: KindSchema, notChecked: string[]): StandardView {
  const { standard, standardOnly } = channelSchemas(kind);
  const dropped: Path[] = [];
  const pruned = prune(fields, standard, (path) => dropped.push(path)) as Fields;
  return { dropped, findings: examine(pruned, kind, { schema: standard, rules: standardOnly, notChecked }).findings };
}

/** What both refuse is an error, what one refuses a warning. */
function bothChannels(experimental: readonly Finding[], standard: StandardView, schema: Schema): readonly Issue[] {
  const onlyHere = ({ path, rule }: Finding): boolean => {
    if (rule !== undefined && rule.channel === undefined) return false;
    if (standard.dropped.some((each) => startsWith(path, each))) return false;
    return !standard.findings.some((other) => related(other.path, path));
  };
  const unknown = (path: Path): boolean => experimental.some((found) => samePath(found.path, path));
  return [
    ...experimental.map((found) => (onlyHere(found) ? warning(found, 'Experimental') : error(found))),
    ...standard.findings
      .filter(({ path }) => !experimental.some((other) => related(other.path, path)))
      .map((found) => warning(found, 'Standard')),
    ...standard.dropped.filter((path) => !unknown(path) && isKnown(path, schema)).map((path) => droppedNote(path)),
  ];
}

/** Whether the last step of a path is a field that the schema has: if not, it was reported as unknown. */
function isKnown(path: Path, schema: Schema): boolean {
  let at: Schema | undefined = schema;
  for (const part of path) at = typeof part === 'number' ? at?.items : at?.properties?.[part];
  return at !== undefined;
}

function droppedNote(path: Path): Issue {
  return {
    severity: 'note',
    path,
    message: 'is a field of the Experimental channel; a cluster with the Standard channel refuses or drops it',
  };
}

function error({ path, message, rule }: Finding): Issue {
  return rule === undefined
    ? { severity: 'error', path, message }
    : { severity: 'error', path, message, rule: rule.rule };
}

function warning(found: Finding, channel: string): Issue {
  return {
    ...error(found),
    severity: 'warning',
    message: `${found.message} (on clusters with the ${channel} channel)`,
  };
}

/** What a Secret holds is shown to nobody. */
function withoutSecret(issue: Issue): Issue {
  const secret = issue.path[0] === 'data' || issue.path[0] === 'stringData';
  return secret ? { ...issue, message: issue.message.replace(/, not the \w+ .*$/s, '') } : issue;
}

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((part, index) => path[index] === part);
}

/** Whether two findings speak of one place: channels may put the same complaint at a field and at its parent. */
function related(one: Path, other: Path): boolean {
  return startsWith(one, other) || startsWith(other, one);
}

function samePath(one: Path, other: Path): boolean {
  return one.length === other.length && pathText(one) === pathText(other);
}
