import { canonicalJson } from '@tributary/runtime';
import type { AnyCustomKind } from '@tributary/runtime';
import type { Fields } from './edit-spec.ts';
import { differencesOf, masked } from './fingerprint.ts';
import { commonValues } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { propertiesOf } from './properties.ts';
import type { Property } from './properties.ts';
import { toRounds } from './rounds.ts';
import type { Round } from './rounds.ts';
import { schemaOf } from './schema-of.ts';
import { openScene } from './scene.ts';
import type { Outcome, Scene } from './scene.ts';

export type KindReport = {
  readonly kind: string;
  readonly properties: number;
  readonly exercised: number;
  /** Properties that were not set, changed and removed with effect, each with what was said to it. */
  readonly missed: readonly string[];
  /** Where a history of changes ended otherwise than a fresh installation. */
  readonly differences: readonly string[];
};

/** Every property of a kind is set, changed and removed, and after each step the world is as after a fresh installation. */
export async function runKind(kind: AnyCustomKind, fixture: Fixture): Promise<KindReport> {
  const { schema } = schemaOf(kind);
  const properties = propertiesOf(schema);
  const known = { ...commonValues, ...fixture.values };
  const roundsOf: RoundsOf = (some, bases) =>
    toRounds({ bases, properties: some, schema, known, isValid: validityOf(kind) });
  const { leave = {} } = fixture;
  const tried = properties.filter(({ leaf, name }) => leaf && leave[name] === undefined);
  const trial = await createTrial(kind, fixture);
  const verdicts = new Map<Property, string | undefined>();
  try {
    await tryOnce(tried, fixture, { trial, roundsOf, verdicts });
    await tryAll(tried, fixture, { trial, roundsOf, verdicts });
  } finally {
    await trial.stop();
  }
  const done = new Set([...verdicts].flatMap(([one, why]) => (why === undefined ? [one] : [])));
  const exercised = properties.filter((one) => done.has(one) || (!one.leaf && hasDoneWithin(one, done)));
  return {
    kind: kind.kind,
    properties: properties.length,
    exercised: exercised.length,
    missed: properties
      .filter((one) => !exercised.includes(one))
      .map((one) => `${one.name}: ${verdicts.get(one) ?? leave[one.name] ?? 'no valid value is known'}`),
    differences: trial.differences,
  };
}

type RoundsOf = (properties: readonly Property[], bases: readonly Fields[]) => readonly Round[];

type Attempt = {
  readonly trial: Trial;
  readonly roundsOf: RoundsOf;
  /** What was said to each property; undefined where it had its effect. */
  readonly verdicts: Map<Property, string | undefined>;
};

/** What counts when an object is made, in installations of its own. */
async function tryOnce(
  tried: readonly Property[],
  { once = [], bases }: Fixture,
  { trial, roundsOf, verdicts }: Attempt,
): Promise<void> {
  for (const property of tried.filter(({ name }) => once.includes(name))) {
    const [alone] = roundsOf([property], bases);
    verdicts.set(property, alone ? await trial.install(alone) : 'no valid value is known');
  }
}

async function tryAll(
  tried: readonly Property[],
  { once = [], bases }: Fixture,
  { trial, roundsOf, verdicts }: Attempt,
): Promise<void> {
  const together = tried.filter(({ name }) => !once.includes(name));
  for (const round of roundsOf(together, bases)) {
    const refused = await trial.play(round);
    for (const property of round.properties) verdicts.set(property, refused);
    if (refused === undefined || round.properties.length === 1) continue;
    // One of them is to blame: each is tried alone.
    for (const property of round.properties) {
      const [alone] = roundsOf([property], [round.base]);
      const why = alone ? await trial.play(alone) : 'is not valid alone';
      verdicts.set(property, why !== undefined && isNamedIn(why, property) ? undefined : why);
    }
  }
}

/** Refused with a reason that names it is an effect too. */
function isNamedIn(message: string, { path }: Property): boolean {
  return path.some((step) => step.length > 2 && message.includes(step));
}

function hasDoneWithin({ path }: Property, done: ReadonlySet<Property>): boolean {
  return [...done].some((one) => path.every((step, index) => one.path[index] === step));
}

/** Whether a declaration is one that the server would take. */
export function validityOf(kind: AnyCustomKind): (fields: Fields) => boolean {
  const { root } = schemaOf(kind);
  const checks = kind as unknown as {
    readonly parseSpec: (spec: unknown) => { readonly ok: boolean };
    readonly parseObject: (object: unknown) => { readonly ok: boolean };
  };
  return (fields) => (root === 'spec' ? checks.parseSpec(fields) : checks.parseObject({ metadata: {}, ...fields })).ok;
}

type Trial = {
  /** Undefined when all was taken; else what was said to it. */
  readonly play: (round: Round) => Promise<string | undefined>;
  /** The same for both values in fresh installations. */
  readonly install: (round: Round) => Promise<string | undefined>;
  readonly differences: readonly string[];
  readonly stop: () => Promise<void>;
};

async function createTrial(kind: AnyCustomKind, fixture: Fixture): Promise<Trial> {
  const differences: string[] = [];
  const freshly = createInstaller(kind, fixture);
  const { keeps = false } = fixture;
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
    play: async ({ base, first, second, properties }) => {
      if (keeps) await end();
      const names =
        properties.length > 3 ? `${properties.length} properties` : properties.map(({ name }) => name).join();
      const outcomes = [
        await step('declared', base, true),
        await step(`${names} set`, first, true),
        await step(`${names} changed`, second, true),
        await step(`${names} removed`, base, !keeps),
      ];
      const bad = outcomes.find((one) => typeof one === 'string' || !one.ready);
      return bad === undefined || typeof bad === 'string' ? bad : bad.message;
    },
    stop: end,
  };
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
