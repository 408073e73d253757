import { canonicalJson } from '@tributary/runtime';
import type { AnyCustomKind } from '@tributary/runtime';
import type { Fields } from './edit-spec.ts';
import { differencesOf, masked } from './fingerprint.ts';
import type { Fixture } from './fixture.ts';
import type { Round } from './rounds.ts';
import { openScene } from './scene.ts';
import type { Outcome, Scene } from './scene.ts';

export type Trial = {
  /** Undefined when all was taken; else what was said to it. `keeps`: what was set stays when nothing is said of it. */
  readonly play: (round: Round, keeps: boolean) => Promise<string | undefined>;
  /** The same for both values in fresh installations. */
  readonly install: (round: Round) => Promise<string | undefined>;
  readonly differences: readonly string[];
  readonly stop: () => Promise<void>;
};

export function createTrial(kind: AnyCustomKind, fixture: Fixture): Trial {
  const differences: string[] = [];
  const freshly = createInstaller(kind, fixture);
  let history: Scene | undefined;
  const end = async (): Promise<void> => {
    await history?.world.stop();
    history = undefined;
  };
  const step = async (what: string, fields: Fields, comparable: boolean): Promise<Outcome | string> => {
    history ??= await openScene(kind, fixture);
    try {
      const seen = await history.declare(fields);
      const wanted = await freshly(fields);
      if (comparable) differences.push(...compare(seen, wanted).map((one) => `${kind.kind} ${what}: ${one}`));
      return seen;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  return {
    differences,
    install: async ({ first, second }) => {
      const outcomes = [await freshly(first), await freshly(second)];
      return outcomes.find(({ ready }) => !ready)?.message;
    },
    play: async ({ base, first, second, properties }, keeps) => {
      if (keeps) await end();
      const names =
        properties.length > 3 ? `${properties.length} properties` : properties.map(({ name }) => name).join();
      const steps = [
        ['declared', base, true],
        [`${names} set`, first, true],
        [`${names} changed`, second, true],
        [`${names} removed`, base, !keeps],
      ] as const;
      let refusal: string | undefined;
      for (const [what, fields, comparable] of steps) {
        const outcome = await step(what, fields, comparable);
        refusal ??= refusalOf(outcome);
        // Several that are refused together are tried again in smaller parts, each of which begins where this one does.
        if (refusal !== undefined && properties.length > 1) break;
      }
      return refusal;
    },
    stop: end,
  };
}

function refusalOf(outcome: Outcome | string): string | undefined {
  if (typeof outcome === 'string') return outcome;
  return outcome.ready ? undefined : outcome.message;
}

/** Fresh installations; one of each declaration is enough. */
function createInstaller(kind: AnyCustomKind, fixture: Fixture): (fields: Fields) => Promise<Outcome> {
  const known = new Map<string, Promise<Outcome>>();
  return async (fields) => {
    const key = canonicalJson(fields);
    const outcome = known.get(key) ?? inNewScene(kind, fixture, fields);
    known.set(key, outcome);
    return outcome;
  };
}

/** What cannot be had leaves in place what there was before, so only what is said of it can be compared. */
function compare(seen: Outcome, wanted: Outcome): readonly string[] {
  const { ready, message } = wanted;
  if (seen.ready && ready) return differencesOf(seen.result, wanted.result);
  return differencesOf({ ready: seen.ready, message: masked(seen.message) }, { ready, message: masked(message) });
}

async function inNewScene(kind: AnyCustomKind, fixture: Fixture, fields: Fields): Promise<Outcome> {
  const scene = await openScene(kind, fixture);
  try {
    return await scene.declare(fields);
  } finally {
    await scene.world.stop();
  }
}
