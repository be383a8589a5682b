import type { HttpRouteSpecRulesFilters } from '../../../imports/gateway.networking.k8s.io.ts';
import type { HeaderModifier, PathModifier, RequestRedirect, TableFilter, URLRewrite } from '../../table/document.ts';

/** Filters of one list as the table holds them, or why the list cannot be served. */
export type FilterResult =
  | { readonly filters: readonly TableFilter[]; readonly refused?: never }
  | { readonly refused: { readonly index: number; readonly message: string }; readonly filters?: never };

/** Scheme and port a redirect has where it names none; chosen once per route. */
export type RedirectDefaults = RequestRedirect['atTunnel'];

/** Spec: HTTPRouteFilter. A filter that is not served must not be skipped: its rule or backend fails closed (seed). */
export function tableFilters(
  filters: readonly HttpRouteSpecRulesFilters[] | undefined,
  defaults: RedirectDefaults,
): FilterResult {
  const result: TableFilter[] = [];
  for (const [index, filter] of (filters ?? []).entries()) {
    const made = tableFilter(filter, defaults);
    if (typeof made === 'string') return { refused: { index, message: made } };
    result.push(made);
  }
  return { filters: result };
}

function tableFilter(filter: HttpRouteSpecRulesFilters, defaults: RedirectDefaults): TableFilter | string {
  switch (filter.type) {
    case 'RequestHeaderModifier':
      return modifier('RequestHeaderModifier', filter.requestHeaderModifier ?? {});
    case 'ResponseHeaderModifier':
      return modifier('ResponseHeaderModifier', filter.responseHeaderModifier ?? {});
    case 'RequestRedirect':
      return redirect(filter.requestRedirect ?? {}, defaults);
    case 'URLRewrite':
      return rewrite(filter.urlRewrite ?? {});
    default:
      return `filter ${filter.type} is not served by this version`;
  }
}

type Modifier = NonNullable<HttpRouteSpecRulesFilters['requestHeaderModifier']>;

function modifier(type: HeaderModifier['type'], { set, add, remove }: Modifier): HeaderModifier {
  return {
    type,
    ...(set === undefined ? {} : { set: set.map(({ name, value }) => ({ name, value })) }),
    ...(add === undefined ? {} : { add: add.map(({ name, value }) => ({ name, value })) }),
    ...(remove === undefined ? {} : { remove }),
  };
}

function redirect(
  { scheme, hostname, port, path, statusCode }: NonNullable<HttpRouteSpecRulesFilters['requestRedirect']>,
  atTunnel: RedirectDefaults,
): RequestRedirect {
  return {
    type: 'RequestRedirect',
    ...(path === undefined ? {} : { path: pathModifier(path) }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(hostname === undefined ? {} : { hostname }),
    ...(port === undefined ? {} : { port }),
    statusCode: statusCode ?? 302,
    atTunnel,
  };
}

function rewrite({ hostname, path }: NonNullable<HttpRouteSpecRulesFilters['urlRewrite']>): URLRewrite {
  return {
    type: 'URLRewrite',
    ...(path === undefined ? {} : { path: pathModifier(path) }),
    ...(hostname === undefined ? {} : { hostname }),
  };
}

function pathModifier(path: {
  readonly type: string;
  readonly replaceFullPath?: string;
  readonly replacePrefixMatch?: string;
}): PathModifier {
  return path.type === 'ReplaceFullPath'
    ? { type: 'ReplaceFullPath', replaceFullPath: path.replaceFullPath ?? '/' }
    : { type: 'ReplacePrefixMatch', replacePrefixMatch: path.replacePrefixMatch ?? '/' };
}
