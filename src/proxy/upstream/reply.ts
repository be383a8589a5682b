import type { Refusal } from '../gate/refusal.ts';

/** Status and one line of text. */
export interface LocalAnswer {
  readonly status: number;
  readonly text: string;
}

/** What the proxy answers by itself. */
export type Reply =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'local'; readonly local: LocalAnswer }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'asterisk' };
