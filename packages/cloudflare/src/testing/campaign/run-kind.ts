import { canonicalJson } from '@tributary/runtime';
import type { AnyCustomKind } from '@tributary/runtime';
import type { Fields } from './edit-spec.ts';
import { differencesOf, masked } from './fingerprint.ts';
import { commonValues, filledIn } from './fixture.ts';
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
  const { refused = [] } = fixture;
  const verdicts = new Map<Property, string | undefined>();
  try {
    const attempt: Attempt = { trial, roundsOf, verdicts, refused, beside: new Map() };
    await tryOnce(tried, fixture, attempt);
    await tryAll(tried, fixture, attempt);
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
  readonly refused: readonly string[];
  /** The base beside which each was tried last. */
  readonly beside: Map<Property, Fields>;
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
  { once = [], keeps = false, bases, apart = false }: Fixture,
  attempt: Attempt,
): Promise<void> {
  const together = tried.filter(({ name }) => !once.includes(name));
  const isKept = ({ name }: Property): boolean =>
    typeof keeps !== 'boolean' && keeps.some((each) => isWithin(name, each));
  const [changing, kept] = [together.filter((one) => !isKept(one)), together.filter(isKept)];
  for (const [group, stays] of [
    [changing, keeps === true],
    [kept, true],
  ] as const) {
    const left = (): readonly Property[] => group.filter((one) => !isDone(one, attempt));
    // What one base does not allow another may: blame is sought only for what is refused beside all of them.
    for (const base of bases) {
      if (apart) await attempt.trial.stop();
      await tryTogether(left(), base, stays, attempt);
    }
    for (const base of bases) {
      if (apart) await attempt.trial.stop();
      const blamed = left().filter((one) => attempt.beside.get(one) === base);
      await tryHalves(blamed, base, stays, attempt);
    }
  }
}

function isDone(property: Property, { verdicts }: Attempt): boolean {
  return verdicts.has(property) && verdicts.get(property) === undefined;
}

/** All at once; where that is refused, those within one field at a time. */
async function tryTogether(some: readonly Property[], base: Fields, keeps: boolean, attempt: Attempt): Promise<void> {
  const refused = await playRounds(some, base, keeps, attempt);
  const byField = Map.groupBy(refused, ({ path }) => path[0]);
  if (byField.size > 1) for (const within of byField.values()) await playRounds(within, base, keeps, attempt);
}

/** Those that were refused. */
async function playRounds(
  some: readonly Property[],
  base: Fields,
  keeps: boolean,
  { trial, roundsOf, verdicts, beside }: Attempt,
): Promise<readonly Property[]> {
  const refused: Property[] = [];
  for (const round of roundsOf(some, [base])) {
    const said = await trial.play(round, keeps);
    for (const property of round.properties) {
      verdicts.set(property, said);
      beside.set(property, base);
    }
    if (said !== undefined) refused.push(...round.properties);
  }
  return refused;
}

async function tryHalves(some: readonly Property[], base: Fields, keeps: boolean, attempt: Attempt): Promise<void> {
  const [first] = some;
  if (!first) return;
  const refused = await playRounds(some, base, keeps, attempt);
  if (some.length === 1) {
    const why = refused.length > 0 ? attempt.verdicts.get(first) : undefined;
    if (why !== undefined && isNamedIn(why, first, attempt.refused)) attempt.verdicts.set(first, undefined);
    return;
  }
  const middle = Math.ceil(refused.length / 2);
  for (const half of [refused.slice(0, middle), refused.slice(middle)]) await tryHalves(half, base, keeps, attempt);
}

function isWithin(name: string, whole: string): boolean {
  return name === whole || (name.startsWith(whole) && /^(\.|\[\])/.test(name.slice(whole.length)));
}

/** Refused with a reason that names it is an effect too. */
function isNamedIn(message: string, { name, path }: Property, wholes: readonly string[]): boolean {
  const leaf = path.findLast((step) => step !== '[]' && step !== '{}') ?? '';
  const asked =
    wholes
      .find((each) => isWithin(name, each))
      ?.split('.')
      .at(-1) ?? leaf;
  return new RegExp(`\\b${asked}\\b`).test(message);
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
  return (given) => {
    const fields = filledIn(given, { accountId: '', token: '', zones: [] }, someIds);
    return (root === 'spec' ? checks.parseSpec(fields) : checks.parseObject({ metadata: {}, ...fields })).ok;
  };
}

/** Stand for ids that only a world has. */
const someIds = Array.from({ length: 10 }, () => '11111111-1111-4111-8111-111111111111');

type Trial = {
  /** Undefined when all was taken; else what was said to it. `keeps`: what was set stays when nothing is said of it. */
  readonly play: (round: Round, keeps: boolean) => Promise<string | undefined>;
  /** The same for both values in fresh installations. */
  readonly install: (round: Round) => Promise<string | undefined>;
  readonly differences: readonly string[];
  readonly stop: () => Promise<void>;
};

async function createTrial(kind: AnyCustomKind, fixture: Fixture): Promise<Trial> {
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
