import assert from 'node:assert/strict';
import { allPages } from './paging.ts';
import type { Page } from './paging.ts';

const items = Array.from({ length: 5 }, (_, number) => ({ id: String(number) }));

/** Pages of two, and how many were asked for. */
function server(facts: (page: Page<{ id: string }>, number: number) => Page<{ id: string }>) {
  let asked = 0;
  const ask = (number: number): Promise<Page<{ id: string }>> => {
    asked += 1;
    const page = { items: items.slice((number - 1) * 2, number * 2), totalPages: 3, totalCount: 5, perPage: 2 };
    return Promise.resolve(facts(page, number));
  };
  return { ask, asked: () => asked };
}

describe('all pages of a list', () => {
  it('are asked for once each', async () => {
    const { ask, asked } = server((page) => page);
    assert.deepEqual(await allPages('things', ask), items);
    assert.equal(asked(), 3);
  });

  it('end with a page that is not full where the server does not count', async () => {
    const { ask, asked } = server(({ items }) => ({ items, perPage: 2 }));
    assert.deepEqual(await allPages('things', ask), items);
    assert.equal(asked(), 3);
  });

  it('end where a page comes again', async () => {
    const { ask, asked } = server(() => ({ items: items.slice(0, 2), perPage: 2 }));
    assert.equal((await allPages('things', ask)).length, 2);
    assert.equal(asked(), 2);
  });

  it('are no list when they are fewer than the server says', async () => {
    const { ask } = server((page, number) => (number === 2 ? { ...page, items: [] } : page));
    await assert.rejects(allPages('things', ask), /the list of things holds 2 of 5/);
  });

  it('are no list when one fails', async () => {
    const { ask } = server((page) => page);
    const failing = (number: number) => (number === 3 ? Promise.reject(new Error('no')) : ask(number));
    await assert.rejects(allPages('things', failing), /no/);
  });
});
