import { OperatorError } from '@tributary/runtime';

/** What all page classes of the SDK have in common. */
export type Page<Item> = {
  readonly getPaginatedItems: () => readonly Item[];
  readonly hasNextPage: () => boolean;
  readonly getNextPage: () => Promise<Page<Item>>;
};

type ResultInfo = {
  readonly page?: number;
  readonly per_page?: number;
  readonly total_count?: number;
  readonly total_pages?: number;
  readonly cursor?: string;
  readonly cursors?: { readonly after?: string };
};

/** No list of ours is longer; an API that goes on for ever must not keep us for ever. */
const mostPages = 10_000;

/**
 * Reads a whole list, `await listAll(api.dns.records.list({ zone_id, per_page: 5000 }))`, with one request for each page
 * and none to find out that there are no more, which is how the SDK's own iteration ends. Fails when the list changed
 * while it was read: what moved from one page to another would be missed, and what is missed looks deleted.
 */
export async function listAll<Item>(first: PromiseLike<Page<Item>>): Promise<readonly Item[]> {
  let page = await first;
  const items: Item[] = [...page.getPaginatedItems()];
  const { total_count: count } = infoOf(page);
  for (let number = 1; hasMore(page, items.length); number += 1) {
    const cursor = cursorOf(page);
    page = await page.getNextPage();
    if (infoOf(page).total_count !== count) throw unsteady('the list changed while it was read');
    if (number >= mostPages || (cursor !== undefined && cursorOf(page) === cursor)) {
      throw unsteady('the list does not end');
    }
    items.push(...page.getPaginatedItems());
  }
  return items;
}

function hasMore<Item>(page: Page<Item>, seen: number): boolean {
  if (!page.hasNextPage()) return false;
  if (cursorOf(page) !== undefined) return true;
  const { page: number, per_page: size, total_count: count, total_pages: pages } = infoOf(page);
  if (pages !== undefined && number !== undefined) return number < pages;
  if (count !== undefined) return seen < count;
  return size === undefined || page.getPaginatedItems().length >= size;
}

function cursorOf<Item>(page: Page<Item>): string | undefined {
  const { cursor, cursors } = infoOf(page);
  return (cursors?.after ?? cursor) || undefined;
}

/** The SDK's types leave most of it out. */
function infoOf<Item>(page: Page<Item>): ResultInfo {
  return (page as { readonly result_info?: ResultInfo | null }).result_info ?? {};
}

function unsteady(message: string): OperatorError {
  return new OperatorError('cloudflare/unsteady-list', message, { kind: 'backoff' });
}
