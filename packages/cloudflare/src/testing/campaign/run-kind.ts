import type { AnyCustomKind } from '@tributary/runtime';
import { depthIn } from './edit-spec.ts';
import type { Fields } from './edit-spec.ts';
import { commonValues, filledIn } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { propertiesOf } from './properties.ts';
import type { Property } from './properties.ts';
import { toRounds } from './rounds.ts';
import type { Round } from './rounds.ts';
import { schemaOf } from './schema-of.ts';
import { blamedIn, namesIn, splitRefused } from './split-refused.ts';
import { createTrial } from './trial.ts';
import type { Trial } from './trial.ts';

export type KindReport = {
  readonly kind: string;
  readonly properties: number;
  readonly exercised: number;
  /** Those of them that were refused with a reason that names them, and so never reached Cloudflare. */
  readonly refused: readonly string[];
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
  const trial = createTrial(kind, fixture);
  const { refused = [] } = fixture;
  const verdicts = new Map<Property, string | undefined>();
  const byRefusal = new Map<Property, string>();
  try {
    const attempt: Attempt = { trial, roundsOf, verdicts, refused, byRefusal, beside: new Map(), last: {} };
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
    refused: [...byRefusal].map(([{ name }, why]) => `${name}: ${why}`),
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
  readonly byRefusal: Map<Property, string>;
  /** The base beside which each was tried last, and whether others were with it. */
  readonly beside: Map<Property, { readonly base: Fields; readonly alone: boolean }>;
  /** The base of the history that is under way. */
  readonly last: { base?: Fields };
};

/** What counts when an object is made, in installations of its own. */
async function tryOnce(tried: readonly Property[], { once = [], bases }: Fixture, attempt: Attempt): Promise<void> {
  const { trial, roundsOf, verdicts } = attempt;
  for (const property of tried.filter(({ name }) => once.includes(name))) {
    for (const base of bases) {
      const [alone] = roundsOf([property], [base]);
      if (alone) verdicts.set(property, await trial.install(alone));
      if (isDone(property, attempt)) break;
    }
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
    // What one base does not allow another may.
    for (const near of [true, false]) {
      for (const base of bases) {
        // What stays is what the base has made, too: the plainest that takes such a property comes first.
        const some = left().filter((one) => near === (stays || isNear(one, base, bases)));
        await tryWithin(some, { base, keeps: stays, apart }, attempt);
      }
      for (const property of left()) await tryAlone(property, { keeps: stays, apart, near }, attempt);
    }
  }
}

function isDone(property: Property, { verdicts }: Attempt): boolean {
  return verdicts.has(property) && verdicts.get(property) === undefined;
}

type Way = { readonly keeps: boolean; readonly apart: boolean };
type Beside = Way & { readonly base: Fields };

/** All at once; where that is refused, in parts, and these in parts again. */
async function tryWithin(some: readonly Property[], place: Beside, attempt: Attempt): Promise<void> {
  for (const { properties, said } of await playRounds(some, place.base, place, attempt)) {
    for (const part of splitRefused(properties, said)) await tryWithin(part, place, attempt);
  }
}

/**
 * A property belongs beside a base that has most of what it stands in. Beside another it may well be taken, and then not count:
 * what a source of another type says, for example.
 */
function isNear({ path }: Property, base: Fields, bases: readonly Fields[]): boolean {
  return depthIn(base, path) === Math.max(...bases.map((one) => depthIn(one, path)));
}

type Refusal = { readonly properties: readonly Property[]; readonly said: string };

async function playRounds(
  some: readonly Property[],
  base: Fields,
  { keeps, apart }: Way,
  { trial, roundsOf, verdicts, beside, last }: Attempt,
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  if (apart && last.base !== base) await trial.stop();
  last.base = base;
  for (const { properties, ...round } of roundsOf(some, [base])) {
    const said = await trial.play({ properties, ...round }, keeps);
    for (const property of properties) {
      verdicts.set(property, said);
      beside.set(property, { base, alone: properties.length === 1 });
    }
    if (said !== undefined) refusals.push({ properties, said });
  }
  return refusals;
}

/** What is said of a property alone counts: it may be a refusal of this very one. */
async function tryAlone(
  property: Property,
  { near, ...way }: Way & { readonly near: boolean },
  attempt: Attempt,
): Promise<void> {
  const { verdicts, beside, refused, byRefusal } = attempt;
  const last = beside.get(property);
  if (last && !last.alone) await playRounds([property], last.base, way, attempt);
  const why = verdicts.get(property) ?? '';
  if (!(near ? isBlamedIn(why, property) : isNamedIn(why, property, refused))) return;
  verdicts.set(property, undefined);
  byRefusal.set(property, why);
}

function isWithin(name: string, whole: string): boolean {
  return name === whole || (name.startsWith(whole) && /^(\.|\[\])/.test(name.slice(whole.length)));
}

/** Refused with a reason that is about it is an effect too. */
function isBlamedIn(reason: string, { path }: Property): boolean {
  return blamedIn(reason).join('.') === namesIn(path).join('.');
}

/** As is one that names it, where no base takes it. */
function isNamedIn(reason: string, property: Property, wholes: readonly string[]): boolean {
  const whole = wholes.find((each) => isWithin(property.name, each));
  const asked = whole?.split('.').at(-1) ?? namesIn(property.path).at(-1) ?? '';
  return new RegExp(`\\b${asked}\\b`).test(reason);
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
