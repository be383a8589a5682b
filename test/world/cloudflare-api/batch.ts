/** /zones/{zone}/dns_records/batch: deletes, patches, puts and posts in this order, all of them or none. */
import { ok, refused } from './envelope.ts';
import type { Answer } from './envelope.ts';
import { createRecord, deleteRecord, editRecord, putRecord } from './records.ts';
import type { Request } from './request.ts';
import type { State } from './state.ts';

/** What a zone of the free plan takes at once. */
const most = 200;

const kinds = [
  ['deletes', deleteRecord],
  ['patches', editRecord],
  ['puts', putRecord],
  ['posts', createRecord],
] as const;

export function batchRecords(state: State, request: Request): Answer {
  const body = (request.body ?? {}) as Readonly<Record<string, readonly { id?: string }[] | undefined>>;
  const count = kinds.reduce((sum, [kind]) => sum + (body[kind]?.length ?? 0), 0);
  if (count === 0) return refused(400, 9207, 'Request body is invalid.');
  if (count > most) return refused(400, 9306, `A batch may hold ${most} records at most.`);
  const before = structuredClone(state.records);
  const result: Record<string, unknown[]> = {};
  for (const [kind, handle] of kinds) {
    result[kind] = [];
    for (const item of body[kind] ?? []) {
      const params = { ...request.params, record: item.id ?? '' };
      const answer = handle(state, { ...request, params, body: item });
      if (answer.errors.length > 0) {
        state.records.splice(0, state.records.length, ...before);
        return answer;
      }
      result[kind].push(answer.result);
    }
  }
  return ok(result);
}
