import type { PlaneResult, RouteParentStatus, StatusClaim } from '../../derive/results.ts';
import { namespacedName, type KubeObject } from '../../facts/object.ts';
import { contentHash } from './inventory.ts';
import { manifest } from './manifest.ts';
import type { Files } from './texts.ts';
import { cloudflareReview, statusReview, tableReview } from './review.ts';

/** What the rules came to. */
export interface Rendered {
  readonly planes: ReadonlyMap<string, PlaneResult>;
  readonly statuses: ReadonlyMap<string, StatusClaim>;
}

/** Longest file name of ours without its ending; file systems take 255 bytes. */
const longestName = 240;
const hashDigits = 12;
const kustomization = 'kustomization.yaml';
/** The directory itself. */
const top = '';

/**
 * Every file of a rendered directory but the inventory: per plane a folder `<namespace>/<name>` with one file per object, a
 * kustomization and the files for review; at the top a kustomization over all of them, and the statuses that belong to no
 * folder. A Gateway that is refused has its status only. Equal results give equal names and bytes.
 */
export function layout({ planes, statuses }: Rendered): Files {
  const files = new Map<string, string>();
  for (const [id, plane] of planes) {
    const names = plane.objects.map((object) => [fileName(object), manifest(object)] as const);
    for (const [name, text] of names) files.set(`${id}/${name}`, text);
    files.set(`${id}/${kustomization}`, kustomizationOf(names.map(([name]) => name)));
    files.set(`${id}/table.json`, tableReview(plane));
    files.set(`${id}/cloudflare.json`, cloudflareReview(plane));
  }
  for (const [folder, claims] of statusesByFolder(planes, statuses))
    files.set(folder === top ? 'status.json' : `${folder}/status.json`, statusReview(claims));
  files.set(kustomization, kustomizationOf([...planes.keys()]));
  return files;
}

/** `deployment-gateway-web-a.yaml`. A long name ends in a hash behind `_`, which no object's name holds, so two never become one. */
function fileName({ kind, metadata }: KubeObject): string {
  const plain = `${kind.toLowerCase()}-${metadata.name}`;
  if (plain.length <= longestName) return `${plain}.yaml`;
  return `${plain.slice(0, longestName - hashDigits - 1)}_${contentHash(plain).slice(0, hashDigits)}.yaml`;
}

function kustomizationOf(resources: readonly string[]): string {
  const head = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
  if (resources.length === 0) return `${head}resources: []\n`;
  return `${head}resources:\n${resources.map((resource) => `  - ${resource}\n`).join('')}`;
}

/** The claims about a Gateway, its class and the routes that name it, by the folder of the plane that serves it, or its own. */
function statusesByFolder(
  planes: Rendered['planes'],
  statuses: Rendered['statuses'],
): ReadonlyMap<string, readonly StatusClaim[]> {
  const claims = [...statuses.values()];
  const gateways = claims.filter(({ kind }) => kind === 'Gateway').map(keyOfClaim);
  const folderOf = new Map(gateways.map((key) => [key, key]));
  for (const [id, { plane }] of planes) for (const key of plane.gateways) folderOf.set(key, id);
  const folders = new Map<string, StatusClaim[]>([...new Set(folderOf.values())].map((folder) => [folder, []]));
  for (const claim of claims) {
    const named = new Set(foldersNamed(claim, folderOf, planes));
    for (const folder of named.size === 0 ? [top] : named) {
      const list = folders.get(folder) ?? [];
      list.push(claim);
      folders.set(folder, list);
    }
  }
  return folders;
}

function foldersNamed(
  claim: StatusClaim,
  folderOf: ReadonlyMap<string, string>,
  planes: Rendered['planes'],
): readonly string[] {
  if (claim.kind === 'Gateway') return [folderOf.get(keyOfClaim(claim)) ?? keyOfClaim(claim)];
  if (claim.kind === 'GatewayClass')
    return [...planes].filter(([, { plane }]) => plane.gatewayClassName === claim.name).map(([id]) => id);
  return parentsOf(claim).flatMap((key) => folderOf.get(key) ?? []);
}

function parentsOf({ status, namespace }: StatusClaim): readonly string[] {
  const parents = (status['parents'] ?? []) as readonly RouteParentStatus[];
  return parents.map(({ parentRef }) => namespacedName(parentRef.namespace ?? namespace, parentRef.name));
}

function keyOfClaim({ namespace, name }: StatusClaim): string {
  return namespacedName(namespace, name);
}
