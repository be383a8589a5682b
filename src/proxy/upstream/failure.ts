import type { BackendErrorReason } from '../metrics.ts';

const byCode: Readonly<Record<string, BackendErrorReason>> = {
  ECONNREFUSED: 'dial',
  EHOSTUNREACH: 'dial',
  ENETUNREACH: 'dial',
  ENOTFOUND: 'dial',
  EAI_AGAIN: 'dial',
  EADDRNOTAVAIL: 'dial',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  CERT_HAS_EXPIRED: 'tls',
  EPROTO: 'tls',
};

/** What an error of a backend connection is counted as. */
export function reasonOf(error: Error): BackendErrorReason {
  const code = codeOf(error);
  const known = byCode[code];
  if (known) return known;
  if (code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL')) return 'tls';
  if (error instanceof AggregateError)
    return error.errors.some((inner: unknown) => inner instanceof Error && reasonOf(inner) === 'timeout')
      ? 'timeout'
      : 'dial';
  return 'other';
}

const connectionLost = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Whether the connection that broke had carried an answer before. */
export function wasReused(error: Error): boolean {
  if (!connectionLost.has(codeOf(error))) return false;
  const seen = error as Error & { bytesRead?: number; socket?: { bytesRead?: number } | null };
  return (seen.bytesRead ?? seen.socket?.bytesRead ?? 0) > 0;
}

export function codeOf(error: Error): string {
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? code : '';
}
