import { createSimulatedClock } from '@tributary/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { listAll } from './list-all.ts';
import type { Page } from './list-all.ts';
import { ok } from './testing/stub-server.ts';
import type { Reply, SeenRequest } from './testing/stub-server.ts';
import { startTestWorld } from './testing/test-client.ts';
import type { TestWorld } from './testing/test-client.ts';

let world: TestWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function serve(respond: (request: SeenRequest) => Reply): Promise<TestWorld> {
  world = await startTestWorld(respond, { clock: createSimulatedClock() });
  return world;
}

const ids = (from: number, to: number): { id: string }[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: `r${from + index}` }));

/** Serves a list of that length in pages, with the part of result_info that is asked for. */
function pages(length: number, info: (page: number, size: number) => object): (request: SeenRequest) => Reply {
  return ({ query }) => {
    const page = Number(query.get('page') ?? 1);
    const size = Number(query.get('per_page') ?? 100);
    return ok(ids(Math.min((page - 1) * size, length), Math.min(page * size, length)), info(page, size));
  };
}

describe('one request for each page and none more, when the API tells', () => {
  const infos: readonly (readonly [string, (total: number) => (page: number, size: number) => object])[] = [
    [
      'the number of pages',
      (total) => (page, size) => ({ page, per_page: size, total_pages: Math.ceil(total / size) }),
    ],
    ['the number of items', (total) => (page, size) => ({ page, per_page: size, total_count: total })],
  ];
  for (const [name, info] of infos) {
    for (const [total, requests] of [
      [0, 1],
      [1, 1],
      [50, 1],
      [51, 2],
      [150, 3],
    ] as const) {
      test(`${name}: ${total} items of 50 a page cost ${requests}`, async () => {
        const { client, server } = await serve(pages(total, info(total)));
        const all = await listAll(client.zones.list({ per_page: 50 }));
        expect(all).toEqual(ids(0, total));
        expect(server.seen).toHaveLength(requests);
      });
    }
  }

  test('only the size of a page: a short one is the last', async () => {
    const { client, server } = await serve(pages(70, (page, size) => ({ page, per_page: size })));
    expect(await listAll(client.dns.records.list({ zone_id: 'z1', per_page: 50 }))).toHaveLength(70);
    expect(server.seen).toHaveLength(2);
  });

  test('nothing at all: an empty page is the last', async () => {
    const { client, server } = await serve(pages(70, () => ({})));
    expect(await listAll(client.dns.records.list({ zone_id: 'z1', per_page: 50 }))).toHaveLength(70);
    expect(server.seen).toHaveLength(3);
  });
});

test('later pages are asked for with the same filters and the same signal', async () => {
  const { client, server } = await serve((request) => {
    if (request.query.get('page') === '2') controller.abort(new Error('stop'));
    return pages(200, (page) => ({ page, total_pages: 4 }))(request);
  });
  const controller = new AbortController();
  const list = client.zones.list({ name: 'example.com', per_page: 50 }, { signal: controller.signal });
  await expect(listAll(list)).rejects.toThrow('stop');
  expect(server.seen.map(({ query }) => query.get('name'))).toEqual(['example.com', 'example.com']);
});

test('a single page is one request', async () => {
  const { client, server } = await serve(() => ok(ids(0, 3)));
  expect(await listAll(client.zeroTrust.networks.virtualNetworks.list({ account_id: 'a1' }))).toEqual(ids(0, 3));
  expect(server.seen).toHaveLength(1);
});

describe('cursors', () => {
  /** Pages as the SDK's cursor classes give them. */
  function cursorPages(infos: readonly object[], at = 0): Page<number> & { result_info?: object } {
    const info = infos[at] ?? {};
    return {
      getPaginatedItems: () => [at],
      hasNextPage: () => at < infos.length - 1,
      getNextPage: async () => cursorPages(infos, at + 1),
      result_info: info,
    };
  }
  test('are followed to the end', async () => {
    expect(await listAll(Promise.resolve(cursorPages([{ cursor: 'a' }, { cursor: 'b' }, {}])))).toEqual([0, 1, 2]);
    const after = [{ cursors: { after: 'a' } }, { cursors: { after: 'b' } }, { cursors: {} }];
    expect(await listAll(Promise.resolve(cursorPages(after)))).toEqual([0, 1, 2]);
  });
  test('that do not move are an error', async () => {
    const stuck = Array.from({ length: 5 }, () => ({ cursor: 'same' }));
    await expect(listAll(Promise.resolve(cursorPages(stuck)))).rejects.toMatchObject({
      code: 'cloudflare/unsteady-list',
    });
  });
});

test('a list that changes while it is read is an error, for what moved would look deleted', async () => {
  let total = 120;
  const { client } = await serve((request) =>
    pages(120, (page) => ({ page, per_page: 50, total_count: total-- }))(request),
  );
  await expect(listAll(client.zones.list({ per_page: 50 }))).rejects.toMatchObject({
    code: 'cloudflare/unsteady-list',
    retry: { kind: 'backoff' },
  });
});
