import { tableVersion } from '../../table/document.ts';
import type { KubeObject } from '../../facts/object.ts';
import type { PackCache } from '../../table/pack.ts';
import { cloudflareDesired } from '../emit/cloudflare.ts';
import { planeObjects } from '../emit/planeobjects.ts';
import { endpointsObject, tableObjects } from '../emit/routingtable.ts';
import { rule, view } from '../engine/declare.ts';
import type { Plane } from '../plane.ts';
import type { CloudflareDesired, PlaneCertificates, TableResult } from '../results.ts';
import { credentials } from './credentials.ts';
import { endpointsDocument } from './endpoints.ts';
import { hostsByPlane } from './hostrows.ts';
import { splitPair } from './pairs.ts';
import { planeCertificates } from './planecertificates.ts';
import { planeOf, planes } from './planes.ts';
import { planeHolds, routingTable } from './routingtable.ts';

/** What a plane becomes apart from its table. */
export interface DataPlane {
  readonly plane: Plane;
  readonly objects: readonly KubeObject[];
  /** Key of the Secret with the Cloudflare credentials of its Gateway. */
  readonly credentials?: string;
  /** What its proxies show at the ports of its Service. */
  readonly certificates?: PlaneCertificates;
  /** Why the objects lack Deployments: what runs stays as it is. */
  readonly problem?: string;
}

/** The table and the ConfigMaps that carry it. */
export interface PublishedTable {
  readonly table: TableResult;
  readonly objects: readonly KubeObject[];
}

/** The endpoints document and its ConfigMap. */
export interface PublishedEndpoints {
  readonly text: string;
  readonly objects: readonly KubeObject[];
}

const builtPlane = view('builtPlane', (id, read) => planeObjects(read(planeOf, id)));

/** Compressed parts of the last table of a plane. They are found by content, so they change how fast a table is packed, never how. */
const compressed = new WeakMap<Plane, PackCache>();

const packedTable = view('packedTable', (id, read) => {
  const plane = read(planeOf, id);
  const cache: PackCache = compressed.get(plane) ?? new Map();
  compressed.set(plane, cache);
  return tableObjects(plane, tableVersion, read(routingTable, id).text, cache);
});

/** One Deployment per replica, all reading one table. Gateway parameters, "Names". */
export const dataPlane = rule('dataPlane', {
  each: planes,
  emit: (id, read): DataPlane => {
    const plane = read(planeOf, id);
    const { secret } = read(credentials, plane.gateways[0] ?? id);
    const certificates = read(planeCertificates, id);
    return {
      plane,
      ...read(builtPlane, id),
      ...(secret === undefined ? {} : { credentials: secret }),
      ...(certificates === undefined ? {} : { certificates }),
    };
  },
});

/** The routing table in its ConfigMaps. While something it needs cannot be told, it is held: DESIGN, "Reading is three-valued". */
export const publishedTable = rule('publishedTable', {
  each: planes,
  emit: (id, read): PublishedTable => {
    const { text, hash } = read(routingTable, id);
    const held = read(planeHolds, id);
    const published = read(packedTable, id);
    return {
      table: { text, hash, ...(held.length === 0 ? {} : { held }) },
      objects: published.objects ?? [],
    };
  },
});

/** Ready addresses, in an object of their own: their churn rewrites nothing else. */
export const publishedEndpoints = rule('publishedEndpoints', {
  each: planes,
  emit: (id, read): PublishedEndpoints => {
    const text = read(endpointsDocument, id);
    return { text, objects: [endpointsObject(read(planeOf, id), text)] };
  },
});

/** The tunnel, its document and its records. */
export const cloudflareRecords = rule('cloudflareRecords', {
  each: planes,
  emit: (id, read): CloudflareDesired => cloudflareDesired(read(planeOf, id), read(servedHostnames, id)),
});

/** Hostnames of a plane's table, sorted; the bucket of every host is none. */
const servedHostnames = view('servedHostnames', (id, read): readonly string[] =>
  read(hostsByPlane, id)
    .map((key) => splitPair(key)[1])
    .filter((host) => host !== '*')
    .toSorted(),
);

/** Why the objects of a plane cannot be made as asked: a patch that does not apply, a table that no ConfigMaps hold. */
export const planeProblem = view('planeProblem', (id, read): string | undefined => {
  if (read(planes, id).length === 0) return undefined;
  const { problem } = read(builtPlane, id);
  if (problem !== undefined) return problem;
  const { tooLarge } = read(packedTable, id);
  if (tooLarge === undefined) return undefined;
  return `the routing table takes ${tooLarge.bytes} bytes compressed, and no more than ${tooLarge.limit} can be published; spread the routes over several Gateways`;
});
