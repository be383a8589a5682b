import { tableVersion } from '../../table/document.ts';
import { assembleTable, encodeBackend, encodeListener, encodeRule } from '../../table/encode.ts';
import { tableHash } from '../../table/hash.ts';
import { compareHosts, compareIds } from '../../table/order.ts';
import { view } from '../engine/declare.ts';
import type { TableResult } from '../results.ts';
import { routesByPlane } from './attachment.ts';
import { hostBucket, hostsByPlane } from './hostrows.ts';
import { splitPair } from './pairs.ts';
import { convertedRules } from './httprouterule.ts';
import { listeners } from './listener.ts';
import { planes } from './planes.ts';
import { serviceBackend } from './services.ts';

/** Every accepted listener of a plane, also those without routes: they own their hostname (seed, "Listener isolation"). */
const listenerLines = view('listenerLines', (plane, read) =>
  read(planes, plane)
    .flatMap((gateway) =>
      read(listeners, gateway)
        .filter(({ accepted }) => accepted.status === 'True')
        .map(({ id, protocol, hostname, port }) => ({
          id,
          gateway,
          protocol: protocol === 'HTTPS' ? ('HTTPS' as const) : ('HTTP' as const),
          ...(hostname === '*' ? {} : { hostname }),
          port,
        })),
    )
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map(encodeListener),
);

/** The rules of a route that any row names, one line each. */
const ruleLines = view('ruleLines', (route, read) =>
  read(convertedRules, route)
    .filter(({ matches }) => matches.length > 0)
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map(({ id, rule }) => encodeRule(id, rule)),
);

/** Ids of the backends a route sends to. */
const routeBackends = view('routeBackends', (route, read) =>
  [
    ...new Set(
      read(convertedRules, route).flatMap(({ matches, backends }) =>
        matches.length === 0 ? [] : Object.keys(backends),
      ),
    ),
  ].toSorted(),
);

/** Ids of the backends a plane sends to, sorted. */
export const planeBackends = view('planeBackends', (plane, read) => {
  const ids = new Set<string>();
  for (const route of read(routesByPlane, plane)) for (const id of read(routeBackends, route)) ids.add(id);
  return [...ids].toSorted();
});

const backendLine = view('backendLine', (id, read) => {
  const found = read(serviceBackend, id.slice('Service/'.length));
  return found.state === 'found' ? encodeBackend(id, found.backend) : '';
});

/** The routing table of a plane. Source: DESIGN, "The routing table". */
export const routingTable = view('routingTable', (plane, read): TableResult => {
  const text = assembleTable(
    { schema: tableVersion, plane },
    {
      listeners: read(listenerLines, plane),
      hosts: read(hostsByPlane, plane)
        .toSorted((a, b) => compareHosts(splitPair(a)[1], splitPair(b)[1]))
        .map((key) => read(hostBucket, key).text),
      rules: routesInOrder(read(routesByPlane, plane)).flatMap((route) => read(ruleLines, route)),
      backends: read(planeBackends, plane).map((id) => read(backendLine, id)),
    },
  );
  return { text, hash: tableHash(text) };
});

/** In the order of the ids of their rules, which go on with a slash behind the name. */
function routesInOrder(routes: readonly string[]): readonly string[] {
  return routes.toSorted((a, b) => compareIds(`${a}/`, `${b}/`));
}

/** What keeps a plane from getting a new table: sentences, none when all is known. Seed: "Fail-closed enforcement". */
export const planeHolds = view('planeHolds', (plane, read): readonly string[] => [
  ...new Set(read(routesByPlane, plane).flatMap((route) => read(routeHolds, route))),
]);

export const routeHolds = view('routeHolds', (route, read): readonly string[] =>
  read(convertedRules, route).flatMap(({ holds }) => holds),
);
