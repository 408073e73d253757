import { canonicalJson } from '@tributary/runtime';
import type { WireFields } from '../compare-fields.ts';

/**
 * A project has settings that we say, others that Cloudflare fills in, and others that a person has made at the dashboard:
 * only ours are compared. What we said once and do not say any more is remembered by its path and taken back.
 */
export type KnownProject = { readonly paths: readonly string[]; readonly secrets?: string };

/** Cloudflare has one model left, and shows it whatever it was told. */
const silent = /\/usage_model$/;
/** A variable or a binding: it is there as a whole or not at all. */
const entry = /^deployment_configs\/[^/]+\/(?!placement\/)[^/]+\/[^/]+$/;
const isSecret = (value: unknown): boolean => isFields(value) && value['type'] === 'secret_text';

/** Every setting by its path. */
export function settingsOf(body: WireFields, at = ''): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(body).flatMap(([name, value]) => {
      const path = `${at}${name}`;
      return isFields(value) && !entry.test(path) ? [...settingsOf(value, `${path}/`)] : [[path, value] as const];
    }),
  );
}

/** The settings that are not as they are wanted, and those that are not wanted any more. */
export function differingSettings(
  wanted: WireFields,
  observed: WireFields,
  before: readonly string[],
): readonly string[] {
  const settings = settingsOf(wanted);
  const changed = [...settings].filter(([path, value]) => !silent.test(path) && !says(at(observed, path), value, path));
  return [...changed.map(([path]) => path), ...before.filter((path) => !settings.has(path))];
}

/** What a setting is where nobody has said anything, by its path; the first that fits counts. */
const neutral: readonly (readonly [path: RegExp, value: unknown])[] = [
  [entry, null],
  [/\/compatibility_flags$/, []],
  [/\/fail_open$/, true],
  [/\/always_use_latest_compatibility_date$/, false],
  [/\/placement$/, null],
  [/^build_config\/build_caching$/, false],
  [/^build_config\//, ''],
];

/** A request that also takes back what is not wanted any more. What has no neutral value, such as a date, stays as it is. */
export function withTakenBack(wanted: WireFields, before: readonly string[]): WireFields {
  const settings = settingsOf(wanted);
  return before
    .filter((path) => !settings.has(path))
    .map((path) => path.replace(/\/placement\/mode$/, '/placement'))
    .reduce<WireFields>((body, path) => {
      const found = neutral.find(([pattern]) => pattern.test(path));
      return found ? setAt(body, path.split('/'), found[1]) : body;
    }, wanted);
}

function says(observed: unknown, wanted: unknown, path: string): boolean {
  if (isSecret(wanted)) return isSecret(observed);
  if (entry.test(path) && !isFields(observed)) return false;
  if (isFields(wanted)) return Object.entries(wanted).every(([name, value]) => says(at(observed, name), value, ''));
  if (Array.isArray(wanted)) return canonicalJson(sorted(wanted)) === canonicalJson(sorted(observed));
  return isNothing(wanted) ? isNothing(observed) : wanted === observed;
}

/** The only lists are those of flags, whose order means nothing. */
function sorted(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String).toSorted() : [];
}

function at(body: unknown, path: string): unknown {
  return path.split('/').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), body);
}

function setAt(body: WireFields, [first = '', ...rest]: readonly string[], value: unknown): WireFields {
  const inner = body[first];
  return { ...body, [first]: rest.length === 0 ? value : setAt(isFields(inner) ? inner : {}, rest, value) };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '';
}

function isFields(value: unknown): value is WireFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
