import type { KubeClient } from '../../facts/cluster/client.ts';
import { ApiFailure } from '../../facts/cluster/failure.ts';

/** A time in which this replica leads. */
export interface Term {
  /** Aborted when it ends. */
  readonly signal: AbortSignal;
  /** Whether it still lasts, by the clock: true also after a pause of the whole process only if it does. */
  isValid(): boolean;
}

/**
 * The client for the writes of one term: once the term is over no write is sent, and those on their way are given up. Reads pass.
 * Throws `notLeading`.
 */
export function fenced(client: KubeClient, term: Term): KubeClient {
  return {
    ...client,
    async send(request) {
      if (request.method === 'GET') return client.send(request);
      if (!term.isValid())
        throw new ApiFailure('notLeading', `${request.what}: not sent, this replica no longer leads`);
      const signal = request.signal === undefined ? term.signal : AbortSignal.any([request.signal, term.signal]);
      return client.send({ ...request, signal });
    },
  };
}
