import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInvalid } from '../client/error-checks.ts';
import type { AnyObject } from '../object.ts';
import { apiVersionOf } from '../kind.ts';
import { gadget, gizmo } from './testing/gadget.ts';
import { phrase } from './testing/phrase.ts';
import { ourVerdict, readVerdicts, recordedSpecs, writeVerdicts } from './testing/verdicts.ts';
import type { Recorded } from './testing/verdicts.ts';
import { establish, realClient, serverVerdict } from './testing/real-server.ts';

let server: ReturnType<typeof realClient>;
const conditions: Record<string, Readonly<Record<string, string>>> = {};
beforeAll(async () => {
  server = realClient();
  for (const kind of [gadget, gizmo, phrase]) conditions[kind.kind] = await establish(server.kube, kind);
});
afterAll(async () => server.close());

const base = { title: 'abc', class: 'c' };

describe('the real API server', () => {
  for (const kind of [gadget, gizmo, phrase]) {
    test(`accepts the CRD of ${kind.kind} as it is`, () => {
      expect(conditions[kind.kind]).toMatchObject({ Established: 'True', NamesAccepted: 'True' });
      expect(conditions[kind.kind]).not.toHaveProperty('NonStructuralSchema');
    });
  }

  test('judges every spec as recorded, and so do we', async () => {
    const recorded: Recorded[] = [];
    for (const [kind, spec] of recordedSpecs()) {
      recorded.push({ kind: kind.kind, spec, verdict: await serverVerdict(server.kube, kind, spec) });
    }
    if (process.env['UPDATE_GOLDEN'] === '1') writeVerdicts(recorded);
    expect(recorded).toEqual(readVerdicts());
    for (const [nth, [kind, spec]] of recordedSpecs().entries()) {
      expect({ spec, verdict: ourVerdict(kind, spec) }).toEqual({ spec, verdict: recorded[nth]?.verdict });
    }
  });

  test('fills in an absent spec as we do', async () => {
    expect(ourVerdict(gizmo, undefined)).toEqual(await serverVerdict(server.kube, gizmo, undefined));
    expect(ourVerdict(gadget, undefined)).toEqual(await serverVerdict(server.kube, gadget, undefined));
  });

  test('judges whatever we think of as we do', async () => {
    const seen = { valid: 0, invalid: 0 };
    await fc.assert(
      fc.asyncProperty(gadgetSpec, async (spec) => {
        const ours = ourVerdict(gadget, spec);
        const theirs = await serverVerdict(server.kube, gadget, spec);
        seen[ours.ok ? 'valid' : 'invalid'] += 1;
        // Which fields are blamed depends on where each side stops looking; the verdict and the defaults do not.
        expect(ours.ok ? ours.value : 'invalid').toEqual(theirs.ok ? theirs.value : 'invalid');
      }),
      { numRuns: 150 },
    );
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(20);
  });
});

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('abc', 'a.b', '1Gi', '5m', 'large'));
const number = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.integer(), fc.constantFrom(0.5, 1.5, 65_536));
const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const mostly = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: leaf });

const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  title: mostly(fc.string({ unit: 'grapheme-composite', minLength: 2, maxLength: 5 })),
  class: mostly(fc.constant('c')),
  zone: mostly(fc.constant('z')),
  size: mostly(fc.constantFrom('small', 'large')),
  replicas: mostly(fc.integer({ min: -1, max: 11 })),
  serial: mostly(number),
  ratio: mostly(fc.constantFrom(0, 0.5, 1)),
  step: mostly(fc.constantFrom(0, 5, 10, -5, 3)),
  level: mostly(fc.integer({ min: 0, max: 4 })),
  slug: mostly(text),
  line: mostly(text.map((inner) => `x${inner}y`)),
  port: mostly(fc.oneof(text, number)),
  memory: mostly(fc.oneof(text, number)),
  timeout: mostly(fc.constantFrom('1s', '1m30s', '', '1d')),
  note: mostly(fc.oneof(text, fc.constant(null))),
  tags: mostly(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 })),
  ports: mostly(
    fc.array(
      fc.record(
        { name: mostly(fc.constantFrom('a', 'b')), protocol: fc.constantFrom('TCP', 'UDP'), port: mostly(number) },
        { requiredKeys: ['name', 'port'] },
      ),
      { maxLength: 3 },
    ),
  ),
  args: mostly(fc.array(text, { maxLength: 2 })),
  labels: mostly(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), mostly(text))),
  limits: mostly(fc.dictionary(fc.constantFrom('a', 'B'), mostly(fc.integer()))),
  weights: mostly(fc.dictionary(fc.constantFrom('cpu', 'disk', 'x'), mostly(fc.integer()))),
  full: mostly(fc.dictionary(fc.constantFrom('in', 'out'), mostly(fc.boolean()))),
  retry: mostly(fc.record({ max: mostly(number), backoff: mostly(fc.constant('2s')) }, { requiredKeys: [] })),
  window: mostly(fc.record({ from: number, to: number })),
  backend: mostly(
    fc.record(
      { type: fc.constantFrom('Service', 'Host'), service: text, host: text, tls: fc.boolean(), weight: number },
      { requiredKeys: ['type'] },
    ),
  ),
  extra: mostly(fc.dictionary(fc.constantFrom('a', 'b'), leaf)),
  anything: leaf,
};

const field = fc.constantFrom(...Object.keys(fields)).chain((name) => fc.tuple(fc.constant(name), fields[name]!));
const gadgetSpec = fc.array(field, { maxLength: 5 }).map((some) => ({ ...base, ...Object.fromEntries(some) }));

describe('an immutable field on the real API server', () => {
  const object = (name: string, spec: object): AnyObject => ({
    apiVersion: apiVersionOf(gadget),
    kind: 'Gadget',
    metadata: { name, namespace: 'default' },
    spec: { ...base, ...spec },
  });
  const change = async (from: object, to: object): Promise<readonly string[]> => {
    const kind = { ...gadget, objectType: undefined as AnyObject | undefined };
    const made = await server.kube.create<AnyObject>(kind as never, object('changing', from));
    try {
      const next = { ...object('changing', to), metadata: made.metadata };
      await server.kube.update<AnyObject>(kind as never, next, { dryRun: true });
      return [];
    } catch (error) {
      if (!isInvalid(error)) throw error;
      return (error.body.details?.causes ?? []).map(({ field = '' }) => field);
    } finally {
      await server.kube.delete(gadget, { namespace: 'default', name: 'changing' });
    }
  };
  test('may be repeated', async () => expect(await change({ zone: 'a' }, { zone: 'a', size: 'small' })).toEqual([]));
  test('cannot change', async () => expect(await change({ class: 'a' }, { class: 'b' })).toEqual(['spec.class']));
  test('cannot be added', async () => expect(await change({}, { zone: 'b' })).toEqual(['spec.zone']));
  test('cannot be removed', async () => expect(await change({ zone: 'b' }, {})).toEqual(['spec.zone']));
  test('in an item of a listMap() is compared with the item of the same keys', async () => {
    const port = (name: string, port: number) => ({ name, port });
    const before = { ports: [port('a', 1), port('b', 2)] };
    expect(await change(before, { ports: [port('b', 2), port('c', 9), port('a', 1)] })).toEqual([]);
    expect(await change(before, { ports: [port('b', 2), port('a', 3)] })).toEqual(['spec.ports[1].port']);
  });
});
