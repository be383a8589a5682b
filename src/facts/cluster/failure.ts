/**
 * Why a request to the API server failed, as callers must tell the cases apart:
 * `notFound` the object or its kind is not there; `alreadyExists`, `conflict` it is there, or has changed meanwhile: read again;
 * `unauthorized`, `forbidden` who we are, or what we may, does not suffice; `gone` the resourceVersion is too old: list again;
 * `invalid` the object is refused as it is; `tooMany` asked to wait `retryAfter` seconds; `transient` may go away by itself;
 * `terminal` our own request is wrong; `notLeading` it was never sent, because another replica may lead by now.
 */
export type FailureReason =
  | 'notFound'
  | 'alreadyExists'
  | 'conflict'
  | 'unauthorized'
  | 'forbidden'
  | 'gone'
  | 'invalid'
  | 'tooMany'
  | 'transient'
  | 'terminal'
  | 'notLeading';

/** A request that failed. The message is a sentence: what was asked, and what the API server said to it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly reason: FailureReason;
  /** HTTP status, where there was an answer. */
  readonly code: number | undefined;
  /** Seconds to wait before the same request, where the API server named them. */
  readonly retryAfter: number | undefined;

  constructor(
    reason: FailureReason,
    message: string,
    more: { readonly code?: number; readonly retryAfter?: number; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.reason = reason;
    this.code = more.code;
    this.retryAfter = more.retryAfter;
  }
}

/** Whether an error is a failed request, of one of these reasons if any are named. */
export function isFailure(error: unknown, ...reasons: readonly FailureReason[]): error is ApiFailure {
  return error instanceof ApiFailure && (reasons.length === 0 || reasons.includes(error.reason));
}

/** What a failed answer holds: a Status of the API server, or whatever a proxy before it wrote. Source: Kubernetes API, meta/v1 Status. */
interface StatusBody {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string }[];
  };
}

/** The failure that an answer other than 2xx stands for. `what` begins the sentence: `list Gateways`. */
export function failureOf(what: string, code: number, body: unknown, retryAfterHeader?: string): ApiFailure {
  const status = (typeof body === 'object' && body !== null ? body : {}) as StatusBody;
  const message = status.message ?? (typeof body === 'string' && body !== '' ? body.slice(0, 300) : `HTTP ${code}`);
  const retryAfter = secondsOf(retryAfterHeader) ?? status.details?.retryAfterSeconds;
  return new ApiFailure(reasonOf(code, status), `${what}: ${message}`, {
    code,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

const byCode: Readonly<Record<number, FailureReason>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  408: 'transient',
  409: 'conflict',
  410: 'gone',
  413: 'invalid',
  422: 'invalid',
  429: 'tooMany',
};

function reasonOf(code: number, { reason, details }: StatusBody): FailureReason {
  if (code === 409 && reason === 'AlreadyExists') return 'alreadyExists';
  // Nothing can be made in a namespace that is being deleted; that ends, one way or the other.
  if (code === 403 && details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') === true)
    return 'transient';
  return byCode[code] ?? (code >= 500 ? 'transient' : 'terminal');
}

/** `Retry-After` in seconds; the API server never writes a date. */
function secondsOf(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header === undefined || header === '' || !Number.isFinite(seconds) || seconds < 0 ? undefined : seconds;
}

/** The failure of a request that had no answer: refused, reset, timed out. An abort by the caller passes as it is. */
export function failureWithoutAnswer(what: string, error: unknown): Error {
  if (error instanceof ApiFailure) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  const code = (cause as { readonly code?: unknown }).code;
  const detail =
    typeof code === 'string' && !cause.message.includes(code) ? `${cause.message} (${code})` : cause.message;
  return new ApiFailure('transient', `${what}: no answer from the API server: ${detail}`, { cause });
}
