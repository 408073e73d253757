import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import type { TestSim } from '../../testing/start-test-sim.ts';

const www = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300, comment: 'mine' };

async function created({ call, free }: TestSim, input: object = www): Promise<{ readonly id: string }> {
  return (await call('POST', `/zones/${free}/dns_records`, input)).result as { id: string };
}

describe('one record', () => {
  test('PATCH changes what is named, PUT sets the rest to its default', async () => {
    const world = await startTestSim();
    const { call, free, clock } = world;
    const { id } = await created(world);
    await clock.advance(1000);
    const patched = await call('PATCH', `/zones/${free}/dns_records/${id}`, { content: '192.0.2.2' });
    expect(patched.result).toMatchObject({
      id,
      content: '192.0.2.2',
      ttl: 300,
      comment: 'mine',
      created_on: '2026-01-05T12:00:00.000Z',
      modified_on: '2026-01-05T12:00:01.000Z',
      comment_modified_on: '2026-01-05T12:00:00.000Z',
    });
    const put = await call('PUT', `/zones/${free}/dns_records/${id}`, { type: 'A', name: 'www', content: '192.0.2.3' });
    expect(put.result).toMatchObject({
      id,
      content: '192.0.2.3',
      ttl: 1,
      comment: null,
      comment_modified_on: '2026-01-05T12:00:01.000Z',
    });
  });

  test('DELETE answers the id, and then the record is gone: 81044', async () => {
    const world = await startTestSim();
    const { call, free } = world;
    const { id } = await created(world);
    expect((await call('DELETE', `/zones/${free}/dns_records/${id}`)).result).toEqual({ id });
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
      expect(await call(method, `/zones/${free}/dns_records/${id}`, method === 'GET' ? undefined : {})).toMatchObject({
        status: 404,
        codes: [81044],
      });
    }
  });

  test('an update cannot make two records equal', async () => {
    const world = await startTestSim();
    await created(world);
    const { id } = await created(world, { ...www, content: '192.0.2.2' });
    expect(
      (await world.call('PATCH', `/zones/${world.free}/dns_records/${id}`, { content: '192.0.2.1' })).codes,
    ).toEqual([81058]);
  });

  test('an update that turns the proxy on for a private address succeeds and changes nothing', async () => {
    const world = await startTestSim();
    const { id } = await created(world, { ...www, content: '10.0.0.1' });
    expect(await world.call('PATCH', `/zones/${world.free}/dns_records/${id}`, { proxied: true })).toMatchObject({
      status: 200,
      result: { proxied: false, ttl: 300 },
    });
  });

  test('a record that another product manages can be read and nothing else', async () => {
    const world = await startTestSim();
    const { call, free, sim } = world;
    const { id } = await created(world);
    sim.state.change('dns_records', free, id, { meta: { read_only: true, managed_by: 'Email Routing' } });
    expect((await call('GET', `/zones/${free}/dns_records/${id}`)).result.meta).toMatchObject({ read_only: true });
    expect((await call('DELETE', `/zones/${free}/dns_records/${id}`)).codes).toEqual([1046]);
    expect((await call('PATCH', `/zones/${free}/dns_records/${id}`, { ttl: 60 })).codes).toEqual([1046]);
  });

  test('a body that is no object is refused', async () => {
    const { call, free } = await startTestSim();
    expect(await call('POST', `/zones/${free}/dns_records`, [])).toMatchObject({ status: 400, codes: [9207] });
  });
});

describe('a batch', () => {
  test('deletes, then patches, then puts, then posts: a name can change its type in one call', async () => {
    const world = await startTestSim();
    const { call, free } = world;
    const gone = await created(world);
    const patched = await created(world, { ...www, name: 'p' });
    const put = await created(world, { ...www, name: 'q' });
    const answer = await call('POST', `/zones/${free}/dns_records/batch`, {
      posts: [{ type: 'CNAME', name: 'www', content: 'x.example.net' }],
      puts: [{ id: put.id, type: 'A', name: 'q', content: '192.0.2.9' }],
      patches: [{ id: patched.id, ttl: 60 }],
      deletes: [{ id: gone.id }],
    });
    expect(answer.result).toMatchObject({
      deletes: [{ id: gone.id, type: 'A' }],
      patches: [{ id: patched.id, ttl: 60 }],
      puts: [{ id: put.id, content: '192.0.2.9', comment: null }],
      posts: [{ name: 'www.example.com', type: 'CNAME' }],
    });
    expect((await call('GET', `/zones/${free}/dns_records`)).info).toMatchObject({ total_count: 3 });
  });

  test('one bad member takes all with it, and only the first error is told', async () => {
    const world = await startTestSim();
    const { call, free, sim } = world;
    const { id } = await created(world);
    const before = sim.state.rows('dns_records', free);
    const answer = await call('POST', `/zones/${free}/dns_records/batch`, {
      deletes: [{ id }],
      posts: [
        { ...www, name: 'good' },
        { ...www, name: 'bad', content: 'x' },
        { ...www, name: 'worse', ttl: 2 },
      ],
    });
    expect(answer).toMatchObject({ status: 400, codes: [1004, 9005] });
    expect(sim.state.rows('dns_records', free)).toEqual(before);
    expect(sim.journal.calls().at(-1)).toMatchObject({ changed: false });
  });

  test('a delete of what is not there aborts it with 81044', async () => {
    const { call, free } = await startTestSim();
    expect(
      await call('POST', `/zones/${free}/dns_records/batch`, { deletes: [{ id: '0' }], posts: [www] }),
    ).toMatchObject({ status: 404, codes: [81044] });
  });

  test('a free zone takes 200 records per call, a paid one 3,500', async () => {
    const { call, free, paid } = await startTestSim();
    const posts = (count: number): object[] => Array.from({ length: count }, (_, i) => ({ ...www, name: `n${i}` }));
    expect(await call('POST', `/zones/${free}/dns_records/batch`, { posts: posts(201) })).toMatchObject({
      status: 400,
      codes: [9208],
    });
    expect(await call('POST', `/zones/${paid}/dns_records/batch`, { posts: posts(3501) })).toMatchObject({
      status: 400,
      codes: [9208],
    });
    expect((await call('POST', `/zones/${paid}/dns_records/batch`, { posts: posts(1000) })).result.posts).toHaveLength(
      1000,
    );
  });

  test('a list that is none is refused', async () => {
    const { call, free } = await startTestSim();
    expect((await call('POST', `/zones/${free}/dns_records/batch`, { posts: {} })).codes).toEqual([9207]);
    expect((await call('POST', `/zones/${free}/dns_records/batch`, { posts: ['x'] })).codes).toEqual([9207]);
  });
});

describe('the list', () => {
  const rows = [
    {
      type: 'A',
      name: 'one',
      content: '192.0.2.1',
      ttl: 300,
      comment: 'Managed by us',
      tags: ['owner:dns', 'env:Prod'],
    },
    { type: 'A', name: 'two', content: '192.0.2.2', proxied: true, tags: ['owner:web'] },
    { type: 'CNAME', name: 'three', content: 'one.example.net', ttl: 60 },
    { type: 'TXT', name: 'one', content: 'hello', comment: 'other' },
  ];
  const filters = [
    { query: 'type=CNAME', names: ['three'] },
    { query: 'type=a', names: ['one', 'two'] },
    { query: 'name=ONE.example.net', names: ['one', 'one'] },
    { query: 'name.exact=two.example.net', names: ['two'] },
    { query: 'name.contains=T', names: ['one', 'two', 'three', 'one'] },
    { query: 'name.startswith=t', names: ['two', 'three'] },
    { query: 'name.endswith=e.example.net', names: ['one', 'three', 'one'] },
    { query: 'content=192.0.2.2', names: ['two'] },
    { query: 'content.startswith=192.', names: ['one', 'two'] },
    { query: 'comment.present=', names: ['one', 'one'] },
    { query: 'comment.absent=', names: ['two', 'three'] },
    { query: 'comment.contains=MANAGED', names: ['one'] },
    { query: 'comment.exact=other', names: ['one'] },
    { query: 'tag.present=env', names: ['one'] },
    { query: 'tag.absent=owner', names: ['three', 'one'] },
    { query: 'tag=owner:web', names: ['two'] },
    { query: 'tag.exact=env:prod', names: ['one'] },
    { query: 'tag.startswith=owner:d', names: ['one'] },
    { query: 'tag.present=env&tag.exact=owner:web', names: [] },
    { query: 'tag.present=env&tag.exact=owner:web&tag_match=any', names: ['one', 'two'] },
    { query: 'proxied=true', names: ['two'] },
    { query: 'search=hello', names: ['one'] },
    { query: 'type=TXT&proxied=true', names: [] },
    { query: 'type=TXT&proxied=true&match=any', names: ['two', 'one'] },
    { query: 'order=name', names: ['one', 'one', 'three', 'two'] },
    { query: 'order=ttl&direction=desc', names: ['one', 'three', 'one', 'two'] },
    { query: 'order=content', names: ['one', 'one', 'two', 'three'] },
    { query: 'per_page=3', names: ['one', 'two', 'three'] },
    { query: 'per_page=3&page=2', names: ['one'] },
    { query: 'per_page=3&page=3', names: [] },
  ];
  for (const { query, names } of filters) {
    test(`with ${query}: ${names.join(', ') || 'nothing'}`, async () => {
      const { call, paid } = await startTestSim();
      await call('POST', `/zones/${paid}/dns_records/batch`, { posts: rows });
      const { result } = await call('GET', `/zones/${paid}/dns_records?${query}`);
      const short = (result as { name: string }[]).map(({ name }) => name.split('.')[0]);
      expect(short).toEqual(names);
    });
  }

  test('a page past the end is empty with the right totals', async () => {
    const { call, paid } = await startTestSim();
    await call('POST', `/zones/${paid}/dns_records/batch`, { posts: rows });
    expect(await call('GET', `/zones/${paid}/dns_records?per_page=3&page=9`)).toMatchObject({
      result: [],
      info: { page: 9, per_page: 3, count: 0, total_count: 4, total_pages: 2 },
    });
  });

  test('an export can be imported elsewhere, and again without doubles', async () => {
    const { call, paid, sim } = await startTestSim();
    const more = [...rows.slice(1), { type: 'MX', name: '@', content: 'mx.example.org', priority: 5 }];
    await call('POST', `/zones/${paid}/dns_records/batch`, { posts: more });
    const { text, headers } = await call('GET', `/zones/${paid}/dns_records/export`);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const read = (): object[] =>
      sim.state
        .rows('dns_records', paid)
        .map(({ name, type, content, proxied, ttl, priority }) => ({ name, type, content, proxied, ttl, priority }));
    const before = read();
    for (const { id } of sim.state.rows('dns_records', paid))
      await call('DELETE', `/zones/${paid}/dns_records/${String(id)}`);
    expect((await call('POST', `/zones/${paid}/dns_records/import`, text)).result).toMatchObject({
      recs_added: 4,
      total_records_parsed: 4,
    });
    expect(read()).toEqual(before);
    expect((await call('POST', `/zones/${paid}/dns_records/import`, text)).result).toMatchObject({ recs_added: 0 });
  });
});
