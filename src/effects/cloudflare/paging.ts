/**
 * All pages of a list, or none of it. The SDK's own pager does not look at `total_pages`: it asks for one page too many, and without end
 * where the server repeats a page. Source: field case B-85.
 */
import { badAnswer } from './curedfetch.ts';

export interface Page<T> {
  readonly items: readonly T[];
  readonly totalPages?: number;
  readonly totalCount?: number;
  /** As the server applied it, which may be less than was asked. */
  readonly perPage?: number;
}

const mostPages = 1000;

/** Throws a BadAnswer failure when the pages do not add up to what the server says there is: half a list is no list. */
export async function allPages<T extends { readonly id: string }>(
  what: string,
  ask: (page: number) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const found = new Map<string, T>();
  for (let number = 1; number <= mostPages; number += 1) {
    const page = await ask(number);
    const before = found.size;
    for (const item of page.items) found.set(item.id, item);
    if (isLast(page, number) || found.size === before) return whole(what, [...found.values()], page);
  }
  throw badAnswer(`the list of ${what} has no end`);
}

function isLast<T>({ items, totalPages, perPage }: Page<T>, number: number): boolean {
  if (items.length === 0) return true;
  if (totalPages !== undefined) return number >= totalPages;
  return perPage === undefined || items.length < perPage;
}

function whole<T>(what: string, items: readonly T[], { totalCount }: Page<T>): readonly T[] {
  if (totalCount !== undefined && totalCount > items.length) {
    throw badAnswer(`the list of ${what} holds ${items.length} of ${totalCount}`);
  }
  return items;
}
