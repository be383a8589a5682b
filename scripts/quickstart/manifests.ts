/** What of the example manifests the quickstart has to play: a data plane for each Gateway, a backend for each port of a Service. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export interface Manifests {
  /** `<namespace>/<name>`, sorted. */
  readonly gateways: readonly string[];
  readonly servicePorts: readonly ServicePort[];
}

export interface ServicePort {
  /** `<namespace>/<name>`. */
  readonly service: string;
  readonly port: number;
}

interface Document {
  readonly kind: string;
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly spec?: { readonly ports?: readonly { readonly port: number }[] };
}

export function readManifests(folder: string): Manifests {
  const documents = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document) => document.toJS() as Document);
  const named = (kind: string): Document[] => documents.filter((document) => document.kind === kind);
  return {
    gateways: named('Gateway').map(keyOf).toSorted(),
    servicePorts: named('Service').flatMap((service) =>
      (service.spec?.ports ?? []).map(({ port }) => ({ service: keyOf(service), port })),
    ),
  };
}

function keyOf({ metadata: { namespace, name } }: Document): string {
  return `${namespace}/${name}`;
}
