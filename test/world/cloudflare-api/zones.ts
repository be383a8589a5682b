/** /zones: given at start, only read. */
import { ok, page, refused } from './envelope.ts';
import type { Answer } from './envelope.ts';
import type { Request } from './request.ts';
import type { State, Zone } from './state.ts';

export function listZones(state: State, { query }: Request): Answer {
  const name = query.get('name');
  const account = query.get('account.id');
  const found = state.zones.filter(
    (zone) =>
      (name === null || zone.name === name) &&
      (account === null || zone.account === undefined || zone.account === account),
  );
  return page(found.map(shown), query, { default: 20, most: 50 });
}

export function getZone(state: State, { params }: Request): Answer {
  const zone = state.zones.find(({ id }) => id === params.zone);
  return zone === undefined ? noSuchZone(params.zone ?? '') : ok(shown(zone));
}

export function noSuchZone(id: string): Answer {
  return refused(404, 7003, `Could not route to /zones/${id}, perhaps your object identifier is invalid?`);
}

function shown(zone: Zone): object {
  return {
    id: zone.id,
    name: zone.name,
    status: 'active',
    paused: false,
    type: 'full',
    account: { id: zone.account ?? 'any', name: 'account' },
    permissions: ['#dns_records:edit', '#zone:read'],
  };
}
