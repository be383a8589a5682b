/** How the API answers: one envelope for all, the paging facts beside a list, codes and messages as the real API's where they are known. */

export interface ErrorItem {
  readonly code: number;
  readonly message: string;
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

/** What a handler answers; the server makes the envelope of it. */
export interface Answer {
  readonly status: number;
  readonly result: unknown;
  readonly resultInfo?: ResultInfo;
  readonly errors: readonly ErrorItem[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ResultInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

export function ok(result: unknown, resultInfo?: ResultInfo): Answer {
  return { status: 200, result, errors: [], ...(resultInfo === undefined ? {} : { resultInfo }) };
}

export function refused(status: number, code: number, message: string): Answer {
  return { status, result: null, errors: [{ code, message }] };
}

/** DNS bodies are refused with one code outside and the particular one inside. */
export function invalidRecord(code: number, message: string): Answer {
  const item = { code: 1004, message: 'DNS Validation Error', error_chain: [{ code, message }] };
  return { status: 400, result: null, errors: [item] };
}

export function envelope({ result, errors, resultInfo }: Answer): string {
  return JSON.stringify({
    result,
    success: errors.length === 0,
    errors,
    messages: [],
    ...(resultInfo === undefined ? {} : { result_info: resultInfo }),
  });
}

/** One page of `items`, by the query's `page` and `per_page`; `most` is the largest page the endpoint allows. */
export function page(
  items: readonly unknown[],
  query: URLSearchParams,
  sizes: { default: number; most: number },
): Answer {
  const number = Number(query.get('page') ?? 1);
  const size = Number(query.get('per_page') ?? sizes.default);
  if (!Number.isInteger(number) || number < 1) return refused(400, 1000, 'page must be a positive integer');
  if (!Number.isInteger(size) || size < 1 || size > sizes.most) {
    return refused(400, 1000, `per_page must be between 1 and ${sizes.most}`);
  }
  const shown = items.slice((number - 1) * size, number * size);
  return ok(shown, {
    page: number,
    per_page: size,
    count: shown.length,
    total_count: items.length,
    total_pages: Math.ceil(items.length / size),
  });
}
