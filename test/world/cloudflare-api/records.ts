/** /zones/{zone}/dns_records: with the rules on what may stand beside what, and identical records refused. */
import { domainToASCII } from 'node:url';
import { invalidRecord, ok, page, refused } from './envelope.ts';
import type { Answer } from './envelope.ts';
import type { Request } from './request.ts';
import { newRecordId } from './state.ts';
import type { DnsRecord, State, Zone } from './state.ts';
import { noSuchZone } from './zones.ts';

/** Types of which only one may have a name, with the code the API answers when a second comes. */
const addressTypes = new Set(['A', 'AAAA', 'CNAME']);
const knownTypes = new Set([...addressTypes, 'TXT', 'MX', 'NS', 'CAA', 'SRV', 'HTTPS', 'SVCB', 'TLSA', 'PTR']);

export function listRecords(state: State, request: Request): Answer {
  return ofZone(state, request, (zone) => {
    const { query } = request;
    const found = state.records.filter((record) => record.zoneId === zone.id && filters(record, query));
    return page(
      found.map((record) => shown(record, zone)),
      query,
      { default: 100, most: 5_000_000 },
    );
  });
}

/** A plain `name=` is understood too, as the real API does; the SDK writes `name.exact=`. */
function filters(record: DnsRecord, query: URLSearchParams): boolean {
  const is = (key: string, value: string) => {
    const wanted = query.get(key);
    return wanted === null || wanted.toLowerCase() === value.toLowerCase();
  };
  return (
    is('type', record.type) &&
    is('name', record.name) &&
    is('name.exact', record.name) &&
    is('content', record.content) &&
    is('content.exact', record.content) &&
    record.content.endsWith(query.get('content.endswith') ?? '')
  );
}

export function createRecord(state: State, request: Request): Answer {
  return ofZone(state, request, (zone) => {
    const fields = fieldsOf(request.body, zone, {});
    if ('errors' in fields) return fields;
    const clash = clashOf(state, zone, fields);
    if (clash !== undefined) return clash;
    const now = new Date().toISOString();
    const record: DnsRecord = { id: newRecordId(), zoneId: zone.id, ...fields, createdOn: now, modifiedOn: now };
    state.records.push(record);
    return ok(shown(record, zone));
  });
}

export function getRecord(state: State, request: Request): Answer {
  return ofRecord(state, request, (record, zone) => ok(shown(record, zone)));
}

export function editRecord(state: State, request: Request): Answer {
  return ofRecord(state, request, (record, zone) => rewrite(state, { record, zone, base: record, body: request.body }));
}

export function putRecord(state: State, request: Request): Answer {
  return ofRecord(state, request, (record, zone) => rewrite(state, { record, zone, base: {}, body: request.body }));
}

export function deleteRecord(state: State, request: Request): Answer {
  return ofRecord(state, request, (record) => {
    state.records.splice(state.records.indexOf(record), 1);
    return ok({ id: record.id });
  });
}

interface Rewriting {
  readonly record: DnsRecord;
  readonly zone: Zone;
  /** What the body's missing fields are taken from. */
  readonly base: Partial<DnsRecord>;
  readonly body: unknown;
}

function rewrite(state: State, { record, zone, base, body }: Rewriting): Answer {
  const fields = fieldsOf(body, zone, base);
  if ('errors' in fields) return fields;
  const clash = clashOf(state, zone, fields, record);
  if (clash !== undefined) return clash;
  Object.assign(record, fields, { modifiedOn: new Date().toISOString() });
  return ok(shown(record, zone));
}

function ofZone(state: State, { params }: Request, answer: (zone: Zone) => Answer): Answer {
  const zone = state.zones.find(({ id }) => id === params.zone);
  return zone === undefined ? noSuchZone(params.zone ?? '') : answer(zone);
}

function ofRecord(state: State, request: Request, answer: (record: DnsRecord, zone: Zone) => Answer): Answer {
  return ofZone(state, request, (zone) => {
    const record = state.records.find(({ id, zoneId }) => id === request.params.record && zoneId === zone.id);
    return record === undefined ? refused(404, 81044, 'Record does not exist.') : answer(record, zone);
  });
}

type Fields = Pick<DnsRecord, 'name' | 'type' | 'content' | 'proxied' | 'ttl' | 'comment'>;

function fieldsOf(body: unknown, zone: Zone, base: Partial<DnsRecord>): Fields | Answer {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refused(400, 9207, 'Request body is invalid.');
  const given: Record<string, unknown> = { ...base, ...body };
  const type = given.type;
  if (typeof type !== 'string' || !knownTypes.has(type)) return invalidRecord(9004, 'DNS record type is invalid.');
  const name = nameOf(given.name, zone);
  if (name === undefined) return invalidRecord(9000, 'DNS name is invalid.');
  const content = given.content;
  if (typeof content !== 'string' || !contentFits(type, content)) {
    return invalidRecord(type === 'CNAME' ? 9007 : 9005, `Content for ${type} record is invalid.`);
  }
  if (type === 'CNAME' && content.toLowerCase() === name)
    return invalidRecord(9039, 'CNAME content cannot reference itself.');
  return rest(given, { name, type, content });
}

function rest(given: Record<string, unknown>, fields: Pick<Fields, 'name' | 'type' | 'content'>): Fields | Answer {
  const { proxied = false, comment = null } = given;
  const ttl = proxied === true ? 1 : (given.ttl ?? 1);
  if (typeof proxied !== 'boolean') return invalidRecord(9003, 'Invalid "proxied" value, must be a boolean');
  if (proxied && !addressTypes.has(fields.type)) return invalidRecord(9004, 'This record type cannot be proxied.');
  if (!isTtl(ttl))
    return invalidRecord(9021, 'Invalid TTL. Must be between 60 and 86,400 seconds, or 1 for Automatic.');
  if (!isComment(comment)) return refused(400, 9313, 'The comment is too long.');
  return { ...fields, proxied, ttl, comment };
}

function isTtl(ttl: unknown): ttl is number {
  return typeof ttl === 'number' && (ttl === 1 || (ttl >= 60 && ttl <= 86_400));
}

function isComment(comment: unknown): comment is string | null {
  return comment === null || (typeof comment === 'string' && comment.length <= 100);
}

/** Whole names below the zone; a short name is completed with the zone, as the real API does. */
function nameOf(given: unknown, zone: Zone): string | undefined {
  if (typeof given !== 'string' || given === '' || given.length > 255) return undefined;
  if (given === '@') return zone.name;
  const name = domainToASCII(given.replace(/\.$/, ''));
  const whole = name === zone.name || name.endsWith(`.${zone.name}`) ? name : `${name}.${zone.name}`;
  const labels = whole.split('.');
  const fits = labels.every(
    (label, index) => (label === '*' && index === 0) || /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label),
  );
  return fits ? whole : undefined;
}

function contentFits(type: string, content: string): boolean {
  if (type === 'A') return /^(\d{1,3}\.){3}\d{1,3}$/.test(content);
  if (type === 'AAAA') return /^[0-9a-f:]+$/i.test(content) && content.includes(':');
  if (type === 'CNAME') return /^([a-z0-9_-]+\.)+[a-z0-9-]+\.?$/i.test(content);
  return content !== '';
}

function clashOf(state: State, zone: Zone, fields: Fields, self?: DnsRecord): Answer | undefined {
  const others = state.records.filter(
    (record) => record !== self && record.zoneId === zone.id && record.name === fields.name,
  );
  if (others.some((record) => record.type === fields.type && record.content === fields.content)) {
    return refused(400, 81058, 'An identical record already exists.');
  }
  if (fields.type === 'CNAME' && others.some((record) => addressTypes.has(record.type))) {
    return refused(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.');
  }
  if (addressTypes.has(fields.type) && others.some((record) => record.type === 'CNAME')) {
    return refused(400, 81054, 'A CNAME record with that host already exists.');
  }
  if (others.some((record) => record.type === 'NS') && fields.type !== 'NS') {
    return refused(400, 81056, 'NS records with that host already exist.');
  }
  return undefined;
}

function shown(record: DnsRecord, zone: Zone): object {
  return {
    id: record.id,
    zone_id: zone.id,
    zone_name: zone.name,
    name: record.name,
    type: record.type,
    content: record.content,
    proxiable: addressTypes.has(record.type),
    proxied: record.proxied,
    ttl: record.ttl,
    comment: record.comment,
    tags: [],
    settings: {},
    meta: {},
    created_on: record.createdOn,
    modified_on: record.modifiedOn,
  };
}
