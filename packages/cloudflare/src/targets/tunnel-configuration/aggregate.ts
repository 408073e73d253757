import { isDeepStrictEqual } from 'node:util';
import type { Loser } from '../../engine/l4-state/loser.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import type { Source, SourceRef } from '../../engine/l4-state/source.ts';
import { defaultFallback } from './contract.ts';
import type { TunnelConfigurationConfig } from './contract.ts';
import { isCatchAll, orderRules } from './order-rules.ts';
import type { TunnelRule } from './order-rules.ts';
import { isSameRule, placeOf } from './tunnel-config.ts';
import type { WantedConfig } from './tunnel-config.ts';

type TunnelSource = Source<TunnelConfigurationConfig>;
type Claim<T> = { readonly ref: SourceRef; readonly what: string; readonly value: T };

export type AggregatedTunnel = {
  readonly ok: true;
  readonly desired: WantedConfig;
  readonly losers: readonly Loser[];
};

/**
 * One configuration from all sources, which come in winning order: per setting, and per host and path, the first has it.
 * Who asked for something else is told; who asked for the same has lost nothing.
 */
export function aggregateTunnel(sources: readonly TunnelSource[]): AggregatedTunnel {
  const rules = award(sources.flatMap(ruleClaims), isSameRule);
  const fallback = award(sources.flatMap(fallbackClaims), isSameRule);
  const routing = award(sources.flatMap(routingClaims), Object.is);
  const options = award(sources.flatMap(optionClaims), isDeepStrictEqual);
  const [enabled] = routing.won.values();
  const [last = { service: defaultFallback }] = fallback.won.values();
  return {
    ok: true,
    desired: {
      ingress: [...orderRules([...rules.won.values()]), last],
      ...(enabled !== undefined && { warpRouting: { enabled } }),
      ...(options.won.size > 0 && { originRequest: Object.fromEntries(options.won) }),
    },
    losers: [rules, fallback, routing, options].flatMap(({ losers }) => losers),
  };
}

type Award<T> = { readonly won: ReadonlyMap<string, T>; readonly losers: readonly Loser[] };

function award<T>(claims: readonly Claim<T>[], same: (a: T, b: T) => boolean): Award<T> {
  const winners = new Map<string, Claim<T>>();
  const losers: Loser[] = [];
  for (const claim of claims) {
    const { ref, what, value } = claim;
    const winner = winners.get(what);
    if (!winner) winners.set(what, claim);
    else if (!same(winner.value, value) && sourceId(winner.ref) !== sourceId(ref)) {
      losers.push({ ref, what, winner: winner.ref, reason: `${sourceId(winner.ref)} has it by priority or age` });
    }
  }
  return { won: new Map([...winners].map(([what, { value }]) => [what, value])), losers };
}

function ruleClaims({ ref, config }: TunnelSource): readonly Claim<TunnelRule>[] {
  const rules = (config.rules ?? []).filter((rule) => !isCatchAll(rule));
  return rules.map((rule) => ({ ref, what: nameOf(rule), value: rule }));
}

/** A rule without host and path wants to be the catch-all; the default answer is nobody's wish. */
function fallbackClaims({ ref, config }: TunnelSource): readonly Claim<TunnelRule>[] {
  const { fallbackTarget = defaultFallback, rules = [] } = config;
  const wishes = [
    ...(fallbackTarget === defaultFallback ? [] : [{ service: fallbackTarget }]),
    ...rules
      .filter(isCatchAll)
      .map(({ service, originRequest }) => ({ service, ...(originRequest && { originRequest }) })),
  ];
  return wishes.map((value) => ({ ref, what: 'everything that no rule matches', value }));
}

function routingClaims({ ref, config }: TunnelSource): readonly Claim<boolean>[] {
  return config.warpRouting ? [{ ref, what: 'warpRouting', value: config.warpRouting.enabled }] : [];
}

function optionClaims({ ref, config }: TunnelSource): readonly Claim<unknown>[] {
  return Object.entries(config.globalOriginRequest ?? {}).map(([what, value]) => ({ ref, what, value }));
}

/** For people: `app.example.com ^/api(/|$)`. Two rules of one place have one name. */
export function nameOf(rule: TunnelRule): string {
  const [hostname, path] = JSON.parse(placeOf(rule)) as [string, string];
  return [hostname === '' ? '*' : hostname, path].filter((part) => part !== '').join(' ');
}
