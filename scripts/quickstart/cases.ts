/**
 * The requests that are sent, and what docs/examples says must become of each: written down by hand, so that it is a second opinion and not
 * the program's own. docs/examples/README.md has the same table in words.
 */
import type { Request } from './request.ts';

export interface Case extends Request {
  /** The Gateway it is sent to. */
  readonly gateway: string;
  readonly expected: Expected;
  /** Which rule of which HTTPRoute decides; none where no rule does. */
  readonly rule?: string;
}

export interface Expected {
  readonly status: number;
  /** The Service that answers; none where the proxy answers itself. */
  readonly backend?: string;
  /** Path and query as the backend sees them; by default as they were sent. */
  readonly target?: string;
  readonly location?: string;
  /** Header fields the backend sees; null for one it must not see. */
  readonly seen?: Readonly<Record<string, string | null>>;
  /** Header fields of the answer. */
  readonly answered?: Readonly<Record<string, string>>;
}

const web = { gateway: 'shop/web', host: 'www.shop.example', method: 'GET' };
const api = { gateway: 'shop/api', host: 'api.shop.example', method: 'GET' };
const docs = { gateway: 'platform/public', host: 'docs.shop.example', method: 'GET' };

/** Who answers all pages of the shop before and after the edit. */
export const pages = { before: 'shop/storefront-blue', after: 'shop/storefront-green', ...web, target: '/' } as const;

/** The split, and the shares its weights ask for. */
export const split = {
  ...web,
  target: '/search?q=lamp',
  shares: { 'shop/search-stable': 0.9, 'shop/search-canary': 0.1 },
} as const;

/** The deliberate mistake: what the request gets, what the route's status says, and who must never be asked. */
export const mistake = {
  route: { namespace: 'shop', name: 'reports' },
  condition: { type: 'ResolvedRefs', status: 'False', reason: 'RefNotPermitted' },
  neverAsked: 'payments/ledger',
} as const;

export const cases: readonly Case[] = [
  { ...web, target: '/', expected: { status: 200, backend: 'shop/storefront-blue' }, rule: 'shop/storefront rule 4' },
  {
    ...web,
    target: '/',
    headers: { 'x-preview': 'green' },
    expected: { status: 200, backend: 'shop/storefront-green' },
    rule: 'shop/storefront rule 3',
  },
  {
    ...web,
    target: '/checkout/basket',
    expected: { status: 200, backend: 'payments/checkout' },
    rule: 'shop/storefront rule 0',
  },
  {
    ...web,
    target: '/search?q=lamp',
    headers: { 'x-search': 'canary' },
    expected: { status: 200, backend: 'shop/search-canary' },
    rule: 'shop/storefront rule 1',
  },
  {
    ...web,
    host: 'rugs.stores.example',
    target: '/new',
    headers: { 'x-debug': '1' },
    expected: {
      status: 200,
      backend: 'shop/stores',
      seen: { 'x-shop-tier': 'seller', 'x-debug': null },
      answered: { 'cache-control': 'max-age=60' },
    },
    rule: 'shop/stores rule 0',
  },
  { ...web, host: 'stores.example', target: '/', expected: { status: 404 } },
  {
    ...api,
    method: 'POST',
    target: '/v1/orders',
    expected: { status: 200, backend: 'shop/orders' },
    rule: 'shop/api rule 0',
  },
  {
    ...api,
    target: '/v1/items/7?full=1',
    expected: { status: 200, backend: 'shop/api', target: '/items/7?full=1' },
    rule: 'shop/api rule 1',
  },
  { ...api, target: '/reports/sales', expected: { status: 200, backend: 'shop/api' }, rule: 'shop/reports rule 1' },
  { ...api, target: '/reports/ledger', expected: { status: 500 }, rule: 'shop/reports rule 0' },
  { ...api, target: '/', expected: { status: 404 } },
  { ...docs, target: '/', expected: { status: 200, backend: 'platform/docs' }, rule: 'platform/docs rule 1' },
  {
    ...docs,
    target: '/handbook',
    expected: { status: 301, location: 'https://docs.shop.example/guide' },
    rule: 'platform/docs rule 0',
  },
  {
    ...docs,
    host: 'old-shop.example',
    target: '/a?b=c',
    expected: { status: 308, location: 'https://www.shop.example/a?b=c' },
    rule: 'shop/former-name rule 0',
  },
];
