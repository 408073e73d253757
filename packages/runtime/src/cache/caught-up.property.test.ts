import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScriptedApi } from './testing/scripted-api.ts';
import { createTrackedWorld, draft, ref } from './testing/tracked-world.ts';
import { widgetKind } from './testing/widget.ts';

type Step = {
  readonly deed: 'write' | 'guard' | 'release' | 'delete';
  readonly deedMs: number;
  readonly answerMs: number;
  /** How far the watch is behind. */
  readonly lagMs: number;
  readonly foreign: 'nothing' | 'write' | 'delete' | 'replace';
  readonly harm: 'none' | 'reset' | 'garbage' | 'stall' | 'expire' | 'close';
};

const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.constantFrom('write', 'guard', 'release', 'delete'),
  deedMs: fc.constantFrom(1, 20),
  answerMs: fc.constantFrom(1, 50, 3000),
  lagMs: fc.constantFrom(1, 30, 2000),
  foreign: fc.constantFrom('nothing', 'nothing', 'write', 'delete', 'replace'),
  harm: fc.constantFrom('none', 'none', 'reset', 'garbage', 'stall', 'expire', 'close'),
});

test('whatever happens on the way, what is read after an own write is no older than that write', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      let now: Step = steps[0]!;
      let wroteAt = 0;
      const world = await createTrackedWorld({
        deedMs: () => now.deedMs,
        answerMs: () => now.answerMs,
        onDeed: () => (wroteAt = world.api.history.revision()),
      });
      const { api, clock, watchFor, version } = world;
      const keepPumping = (): void => {
        api.pump();
        clock.after(500, keepPumping);
      };
      keepPumping();
      for (const one of steps) {
        now = one;
        const write = attempt(world, one.deed);
        clock.after(one.deedMs + one.answerMs / 2, () => interfere(api, one.foreign));
        clock.after(one.deedMs + one.lagMs, () => api.pump());
        clock.after(one.deedMs + one.lagMs / 2, () => harm(api, one.harm));
        await clock.runUntil(() => write.over);
        const wait = watchFor();
        await clock.runUntil(() => wait.over, 600_000);
        expect(wait.error).toBeUndefined();
        expect(statesSince(api, wroteAt)).toContain(version());
      }
      world.stopping.abort();
    }),
    { numRuns: 300 },
  );
}, 60_000);

function attempt({ client }: Awaited<ReturnType<typeof createTrackedWorld>>, deed: Step['deed']): { over: boolean } {
  const state = { over: false };
  const finalizers = deed === 'guard' ? ['example.com/keep'] : [];
  const body = { metadata: { finalizers } };
  const call =
    deed === 'delete'
      ? client.delete(widgetKind, ref)
      : deed === 'release'
        ? client.patch(widgetKind, ref, { type: 'merge', body })
        : client.apply(widgetKind, { metadata: { ...draft.metadata, finalizers } }, { fieldManager: 'test' });
  const finish = (): void => void (state.over = true);
  call.then(finish, finish);
  return state;
}

function interfere({ history }: ScriptedApi, how: Step['foreign']): void {
  if (how === 'delete' || how === 'replace') history.remove('a');
  if (how === 'write' || how === 'replace') history.write('a');
}

function harm(api: ScriptedApi, how: Step['harm']): void {
  if (how === 'expire') api.history.compact();
  for (const stream of api.streams()) {
    if (how === 'garbage' || how === 'stall' || how === 'close') stream[how]();
    if (how === 'reset' || how === 'expire') stream.reset();
  }
}

/** Every state that the object had at or after a revision: its version, or nothing while it was not there. */
function statesSince({ history }: ScriptedApi, revision: number): readonly (string | undefined)[] {
  const states = history
    .all()
    .filter(({ object }) => object.metadata.name === 'a')
    .map((entry) => ({
      revision: entry.revision,
      version: entry.type === 'DELETED' ? undefined : entry.object.metadata.resourceVersion,
    }));
  const at = states.findLast((state) => state.revision <= revision)?.version;
  return [at, ...states.filter((state) => state.revision > revision).map((state) => state.version)];
}
