import type { URLRewrite } from '../../table/document.ts';
import type { Exchange, RequestFilter } from '../exchange.ts';
import { modifiedPath } from './pathmodifier.ts';

/** URLRewrite: the host and the path that are sent. The query is kept byte for byte. A rewritten host wins over one set by a header modifier. */
export function urlRewrite(filter: URLRewrite): RequestFilter {
  const { hostname, path } = filter;
  return (exchange) => {
    if (hostname !== undefined) {
      exchange.outHost = hostname;
      exchange.isHostRewritten = true;
    }
    if (path !== undefined) exchange.outPath = modifiedPath(path, exchange.outPath, wonPrefix(exchange));
  };
}

/** The prefix of the row that won, where it is a prefix match. */
export function wonPrefix(exchange: Exchange): string | undefined {
  const path = exchange.matched?.row.path;
  return path?.type === 'PathPrefix' ? path.value : undefined;
}
