import type { KindSchema } from './kinds.ts';
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './names.ts';
import { isRecord, type Report } from './schema.ts';

const ANNOTATION_BYTES = 256 * 1024;

/** Kinds whose names are DNS labels; those of all others are DNS subdomains. */
const labelNamed = new Set(['Namespace', 'Service']);

/** Reports what the API server would refuse in an object's metadata beyond its schema. */
export function checkMetadata(metadata: unknown, kind: KindSchema, report: Report): void {
  if (!isRecord(metadata)) return report(['metadata', 'name'], 'is required');
  checkName(metadata, kind, report);
  checkNamespace(metadata, report);
  checkLabels(metadata['labels'], report);
  checkAnnotations(metadata['annotations'], report);
}

type Metadata = Readonly<Record<string, unknown>>;

function checkName({ name, generateName }: Metadata, kind: KindSchema, report: Report): void {
  if (name === undefined || name === '') {
    const why =
      generateName === undefined ? 'is required' : 'is required: generateName makes another object at every apply';
    return report(['metadata', 'name'], why);
  }
  if (typeof name !== 'string') return;
  const issue = labelNamed.has(kind.kind) && kind.group === '' ? dnsLabel(name) : dnsSubdomain(name);
  if (issue !== undefined) report(['metadata', 'name'], issue);
}

function checkNamespace({ namespace }: Metadata, report: Report): void {
  const issue = typeof namespace === 'string' && namespace !== '' ? dnsLabel(namespace) : undefined;
  if (issue !== undefined) report(['metadata', 'namespace'], issue);
}

function checkLabels(labels: unknown, report: Report): void {
  if (!isRecord(labels)) return;
  for (const [key, value] of Object.entries(labels)) {
    const issue = qualifiedName(key) ?? (typeof value === 'string' ? labelValue(value) : undefined);
    if (issue !== undefined) report(['metadata', 'labels', key], issue);
  }
}

function checkAnnotations(annotations: unknown, report: Report): void {
  if (!isRecord(annotations)) return;
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    const issue = qualifiedName(key.toLowerCase());
    if (issue !== undefined) report(['metadata', 'annotations', key], issue);
    bytes += Buffer.byteLength(key) + Buffer.byteLength(String(value));
  }
  if (bytes > ANNOTATION_BYTES)
    report(['metadata', 'annotations'], `must have at most ${ANNOTATION_BYTES} bytes in all, not ${bytes}`);
}
