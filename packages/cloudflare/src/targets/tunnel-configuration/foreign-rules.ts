import { compareRules, isCatchAll } from './order-rules.ts';
import type { TunnelRule } from './order-rules.ts';
import { defaultFallback } from './contract.ts';
import { isSameRule, placeOf, textOf } from './tunnel-config.ts';
import type { Fields, RecordedConfig, RemoteConfig, WantedConfig } from './tunnel-config.ts';

/**
 * A tunnel's configuration is one object of many authors: the API replaces it as a whole and keeps no names. Ours is what
 * is wanted or what we recorded before we wrote it; all else is foreign, stays byte for byte, and stands where the same
 * order puts it, behind ours where both are about the same host and path.
 */
export function mergeForeign(
  wanted: WantedConfig,
  found: RemoteConfig | undefined,
  recorded: RecordedConfig | undefined,
): WantedConfig {
  const rules = wanted.ingress.slice(0, -1);
  const foreign = foreignRules(wanted.ingress, found?.ingress ?? [], recorded);
  const others = foreign.filter((rule) => !isCatchAll(rule));
  const [theirs] = foreign.filter(isCatchAll);
  const last = wanted.ingress.at(-1) ?? { service: defaultFallback };
  // There is room for one catch-all. Where nobody wants another answer than the default, theirs stays.
  const keepsTheirs = theirs !== undefined && isSameRule(last, { service: defaultFallback });
  return {
    ...wanted,
    ingress: [...placeAmong(rules, others), keepsTheirs ? theirs : last],
    foreign: keepsTheirs ? [...others, theirs] : others,
    kept: keptSettings(wanted, found ?? {}, recorded),
  };
}

/** What stays when we leave. */
export function withoutOurs(found: RemoteConfig, recorded: RecordedConfig | undefined): WantedConfig {
  return mergeForeign({ ingress: [{ service: defaultFallback }] }, found, recorded);
}

/** Of a wish that has not met what is there, the foreign rules are not known. */
export function toRecord({ ingress, warpRouting, originRequest = {}, foreign }: WantedConfig): RecordedConfig {
  const theirs = textsOf(foreign ?? []);
  return {
    rules: ingress.filter((rule) => !theirs.has(textOf(rule))),
    ...(foreign && { foreign }),
    settings: [...(warpRouting ? [routingSetting] : []), ...Object.keys(originRequest)],
  };
}

const routingSetting = 'warp-routing';

function foreignRules(
  wanted: readonly TunnelRule[],
  found: readonly TunnelRule[],
  recorded: RecordedConfig | undefined,
): readonly TunnelRule[] {
  const ours = textsOf([...wanted, ...(recorded?.rules ?? [])]);
  const unknown = found.filter((rule) => !ours.has(textOf(rule)));
  const edited = editedByOthers(unknown, found, recorded);
  return unknown.filter((rule) => !edited.has(rule) && !isDefault(rule));
}

/** Our own rules that somebody changed: at a place of ours, where our own is missing, and not there before. */
function editedByOthers(
  unknown: readonly TunnelRule[],
  found: readonly TunnelRule[],
  recorded: RecordedConfig | undefined,
): ReadonlySet<TunnelRule> {
  const seen = textsOf(found);
  // Without a memory of what was foreign, a rule that was there before us could be taken for ours.
  if (!recorded?.foreign) return new Set();
  const before = textsOf(recorded.foreign);
  const missing = recorded.rules.filter((mine) => !seen.has(textOf(mine))).map(placeOf);
  const fresh = unknown.filter((rule) => !before.has(textOf(rule)));
  const firstAt = new Map(fresh.toReversed().map((rule) => [placeOf(rule), rule] as const));
  return new Set(missing.flatMap((place) => firstAt.get(place) ?? []));
}

function textsOf(rules: readonly TunnelRule[]): ReadonlySet<string> {
  return new Set(rules.map(textOf));
}

function isDefault(rule: TunnelRule): boolean {
  return isCatchAll(rule) && isSameRule({ ...rule, hostname: undefined }, { service: defaultFallback });
}

/** Equal places: ours first, and the foreign ones as they stood, since the first of them is the one in force. */
function placeAmong(ours: readonly TunnelRule[], foreign: readonly TunnelRule[]): readonly TunnelRule[] {
  const all = [...ours.map((rule) => ({ rule, rank: 0 })), ...foreign.map((rule) => ({ rule, rank: 1 }))];
  return all
    .toSorted((a, b) => (placeOf(a.rule) === placeOf(b.rule) ? a.rank - b.rank : compareRules(a.rule, b.rule)))
    .map(({ rule }) => rule);
}

function keptSettings(
  { originRequest = {} }: WantedConfig,
  found: RemoteConfig,
  recorded: RecordedConfig | undefined,
): RemoteConfig {
  const { originRequest: options, 'warp-routing': routing } = found;
  const ours = new Set([...Object.keys(originRequest), ...(recorded?.settings ?? [])]);
  const theirs: Fields = Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => !ours.has(name)));
  return {
    ...found,
    ingress: [],
    originRequest: theirs,
    'warp-routing':
      routing && recorded?.settings.includes(routingSetting) ? { ...routing, enabled: false } : (routing ?? null),
  };
}
