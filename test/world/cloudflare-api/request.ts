/** A call as the handlers see it, and as the log keeps it. */

export interface Request {
  readonly method: string;
  /** Path below the API's root, without query: `/zones/…`. */
  readonly path: string;
  /** The named parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body, or undefined. */
  readonly body: unknown;
}

/** One call in the log. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
  /** The bearer token, as sent. */
  readonly token: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The HTTP status answered; 0 where the connection was cut instead, or is not answered yet. */
  readonly status: number;
}
