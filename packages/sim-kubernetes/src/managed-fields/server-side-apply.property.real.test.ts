import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import { eventually } from '../../conformance/kit/scratch.ts';
import { startEmbedded } from '../../conformance/kit/embedded-server.ts';
import type { ServerUnderTest } from '../../conformance/kit/server-under-test.ts';
import { createWireClient } from '../../conformance/kit/wire-client.ts';
import type { WireClient } from '../../conformance/kit/wire-client.ts';
import { historyOf, play } from './testing/histories.ts';
import { ownedCrd, ownedKinds } from './testing/owned-kinds.ts';

// A control plane of its own: no controller may touch the objects.
let plane: ControlPlane;
let embedded: ServerUnderTest;
let real: WireClient;
let sim: WireClient;

const secondsPerKind = Number(process.env['TRIBUTARY_APPLY_SECONDS'] ?? 7);
const seed = process.env['TRIBUTARY_SEED'];

beforeAll(async () => {
  [plane, embedded] = await Promise.all([startControlPlane({}), startEmbedded()]);
  real = createWireClient(plane);
  sim = createWireClient(embedded.endpoint);
  for (const api of [real, sim]) {
    await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ownedCrd);
    await eventually(
      () => api.get('/apis/owned.example.com/v1/lakes'),
      ({ status }) => status === 200,
    );
    await eventually(
      () => api.get('/api/v1/namespaces/default'),
      ({ status }) => status === 200,
    );
  }
});

afterAll(async () => {
  real?.close();
  sim?.close();
  await Promise.all([plane?.stop(), embedded?.stop()]);
});

let round = 0;

describe('whatever several managers apply, update and patch, both servers have the same object and the same managers', () => {
  test.each(ownedKinds.map((kind) => [kind.name, kind] as const))('of %s', async (_, kind) => {
    const same = fc.asyncProperty(historyOf(kind), async (history) => {
      const name = `h-${++round}`;
      const [theirs, ours] = await Promise.all([play(real, kind, name, history), play(sim, kind, name, history)]);
      expect(ours).toEqual(theirs);
    });
    const before = round;
    await fc.assert(same, {
      numRuns: 10_000,
      interruptAfterTimeLimit: secondsPerKind * 1000,
      ...(seed === undefined ? {} : { seed: Number(seed) }),
    });
    // A busy machine tries fewer, but never none.
    expect(round - before).toBeGreaterThan(3);
  });
});
