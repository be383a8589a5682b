/**
 * Filters of one rule or one backend, compiled once per table: what runs on the request, what runs on the response, and the redirect
 * that answers in place of a backend. A rule with a filter this build does not know never comes here: the reader of the table has made an
 * answer of it. Those of the rule run before those of the backend.
 */
import type { RequestRedirect, TableFilter } from '../../table/document.ts';
import type { RequestFilter, ResponseFilter } from '../exchange.ts';
import { requestHeaderModifier } from './requestheadermodifier.ts';
import { responseHeaderModifier } from './responseheadermodifier.ts';
import { urlRewrite } from './urlrewrite.ts';

export interface FilterChain {
  readonly request: readonly RequestFilter[];
  readonly response: readonly ResponseFilter[];
  readonly redirect: RequestRedirect | undefined;
}

export function filterChain(filters: readonly TableFilter[] = []): FilterChain {
  const request: RequestFilter[] = [];
  const response: ResponseFilter[] = [];
  let redirect: RequestRedirect | undefined;
  for (const filter of filters) {
    switch (filter.type) {
      case 'RequestHeaderModifier':
        request.push(requestHeaderModifier(filter));
        break;
      case 'ResponseHeaderModifier':
        response.push(responseHeaderModifier(filter));
        break;
      case 'URLRewrite':
        request.push(urlRewrite(filter));
        break;
      case 'RequestRedirect':
        redirect ??= filter;
        break;
    }
  }
  return { request, response, redirect };
}

/** One chain after the other. */
export function joinChains(rule: FilterChain, backend: FilterChain): FilterChain {
  if (backend.request.length === 0 && backend.response.length === 0 && !backend.redirect) return rule;
  return {
    request: [...rule.request, ...backend.request],
    response: [...rule.response, ...backend.response],
    redirect: rule.redirect ?? backend.redirect,
  };
}
