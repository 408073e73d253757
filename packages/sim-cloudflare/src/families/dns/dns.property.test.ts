import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import type { Zone } from '../zones/zone.ts';
import { buildRecord, toInput } from './build-record.ts';
import { normaliseText } from './normalise-text.ts';

const zone = { id: 'z', name: 'example.com', plan: 'pro' } as Zone;
const context = { zone, id: 'r', now: '2026-01-05T12:00:00.000Z' };

const label = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,8}[a-zA-Z0-9])?$/);
const name = fc.oneof(
  fc.constant('@'),
  label,
  label.map((text) => `${text}.Example.com.`),
  label.map((text) => `*.${text}`),
);
const target = fc.tuple(label, label).map(([a, b]) => `${a}.${b}.`);
const input = fc.oneof(
  fc.record({ type: fc.constant('A'), name, content: fc.ipV4(), ttl: fc.constantFrom(1, 60, 300) }),
  fc.record({ type: fc.constant('AAAA'), name, content: fc.ipV6() }),
  fc.record({ type: fc.constant('CNAME'), name, content: target, proxied: fc.boolean(), ttl: fc.constantFrom(1, 120) }),
  fc.record({
    type: fc.constant('TXT'),
    name,
    content: fc.string({ minLength: 1, maxLength: 600 }).filter((text) => text.trim() !== ''),
  }),
  fc.record({ type: fc.constant('MX'), name, content: target, priority: fc.nat(65_535) }),
  fc.record({
    type: fc.constant('SRV'),
    name,
    data: fc.record({ priority: fc.nat(9), weight: fc.nat(9).map(String), port: fc.nat(9), target }),
  }),
);

test('what is read back can be written back and stays the same', () => {
  fc.assert(
    fc.property(input, (given) => {
      const once = buildRecord(given, context);
      expect(buildRecord(toInput(once), context)).toEqual(once);
    }),
  );
});

test('text keeps its meaning: unquoted, joined and unescaped it is what was sent', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 700, unit: 'binary' }).filter((text) => !text.trim().startsWith('"')),
      (text) => {
        const stored = normaliseText(text);
        const chunks = [...stored.matchAll(/"((?:[^"\\]|\\.)*)"(?: |$)/gs)].map(([, inside = '']) =>
          inside.replaceAll(/\\(.)/gs, '$1'),
        );
        expect(chunks.join('')).toBe(text);
        expect(Math.max(...chunks.map((chunk) => Buffer.byteLength(chunk)))).toBeLessThanOrEqual(255);
      },
    ),
  );
});

type Step =
  | { readonly verb: 'post'; readonly input: object }
  | { readonly verb: 'delete'; readonly pick: number }
  | { readonly verb: 'patch'; readonly pick: number; readonly ttl: number }
  | { readonly verb: 'put'; readonly pick: number; readonly input: object };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ verb: fc.constant('post' as const), input }),
  fc.record({ verb: fc.constant('delete' as const), pick: fc.nat(9) }),
  fc.record({ verb: fc.constant('patch' as const), pick: fc.nat(9), ttl: fc.constantFrom(1, 5, 600) }),
  fc.record({ verb: fc.constant('put' as const), pick: fc.nat(9), input }),
);

const methods = { post: 'POST', delete: 'DELETE', patch: 'PATCH', put: 'PUT' };

function bodyOf(one: Step): object | undefined {
  if (one.verb === 'delete') return undefined;
  return one.verb === 'patch' ? { ttl: one.ttl } : one.input;
}

test('after any sequence of calls the list is what a simple model holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { call, paid } = await startTestSim();
      const path = `/zones/${paid}/dns_records`;
      const model = new Map<string, unknown>();
      for (const one of steps) {
        const id = 'pick' in one ? ([...model.keys()][one.pick] ?? 'none') : '';
        const known = one.verb === 'post' || model.has(id);
        const { status, result } = await call(
          methods[one.verb],
          one.verb === 'post' ? path : `${path}/${id}`,
          bodyOf(one),
        );
        expect(status === 404).toBe(!known);
        if (status !== 200) continue;
        if (one.verb === 'delete') model.delete(id);
        else model.set(result.id, result);
      }
      expect((await call('GET', `${path}?per_page=1000`)).result).toEqual([...model.values()]);
    }),
    { numRuns: 60 },
  );
});

test('a batch is all or nothing, and does what its members would do one by one in the order of the verbs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(input, { maxLength: 8 }), fc.array(step, { maxLength: 10 }), async (first, steps) => {
      const batched = await startTestSim();
      const single = await startTestSim();
      const path = `/zones/${batched.paid}/dns_records`;
      for (const record of first) {
        await batched.call('POST', path, record);
        await single.call('POST', path, record);
      }
      const ids = (world: typeof single): string[] =>
        world.sim.state.rows('dns_records', world.paid).map(({ id }) => String(id));
      const body = (world: typeof single): Record<string, object[]> => {
        const known = ids(world);
        const lists: Record<string, object[]> = { deletes: [], patches: [], puts: [], posts: [] };
        for (const one of steps) {
          if (one.verb === 'post') lists['posts']!.push(one.input);
          else if (one.verb === 'delete') lists['deletes']!.push({ id: known[one.pick] ?? 'none' });
          else if (one.verb === 'patch') lists['patches']!.push({ id: known[one.pick] ?? 'none', ttl: one.ttl });
          else lists['puts']!.push({ id: known[one.pick] ?? 'none', ...one.input });
        }
        return lists;
      };
      const before = batched.sim.state.rows('dns_records', batched.paid);
      const answer = await batched.call('POST', `${path}/batch`, body(batched));
      const oneByOne = await runSingly(single, path, body(single));
      expect(answer.codes).toEqual(oneByOne);
      const rows = (world: typeof single): readonly object[] => world.sim.state.rows('dns_records', world.paid);
      const shape = (held: readonly object[]): unknown => held.map((row) => ({ ...row, id: '' }));
      expect(shape(rows(batched))).toEqual(shape(answer.status === 200 ? rows(single) : before));
    }),
    { numRuns: 100 },
  );
});

/** The codes of the first refusal; empty when all went well. */
async function runSingly(
  { call }: Awaited<ReturnType<typeof startTestSim>>,
  path: string,
  lists: Readonly<Record<string, readonly object[]>>,
): Promise<readonly number[]> {
  const verbs = { deletes: 'DELETE', patches: 'PATCH', puts: 'PUT', posts: 'POST' };
  for (const [list, method] of Object.entries(verbs)) {
    for (const item of lists[list] ?? []) {
      const id = (item as { id?: string }).id;
      const { codes } = await call(method, id === undefined ? path : `${path}/${id}`, item);
      if (codes.length > 0) return codes;
    }
  }
  return [];
}
