import type { Loser } from '../../engine/l4-state/loser.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import type { Source } from '../../engine/l4-state/source.ts';
import type { TunnelLifecycleConfig } from './contract.ts';

export type TunnelSecrets = TunnelLifecycleConfig['secrets'];

export type WantedTunnel = {
  readonly create: boolean;
  readonly name?: string;
  readonly id?: string;
  /** Who gets the run token, in winning order. */
  readonly secrets: readonly TunnelSecrets[];
};

type AggregatedLifecycle = {
  readonly ok: true;
  readonly desired: WantedTunnel;
  readonly losers: readonly Loser[];
};

/** Many may use a tunnel, one may own it: of several objects that would create it, the first has it. */
export function aggregateLifecycle(sources: readonly Source<TunnelLifecycleConfig>[]): AggregatedLifecycle {
  const [owner, ...rivals] = sources.filter(({ config }) => config.action === 'create');
  const entitled = sources.filter((source) => !rivals.includes(source));
  const { tunnelName, tunnelId } = (owner ?? sources[0])?.config ?? {};
  return {
    ok: true,
    desired: {
      create: owner !== undefined,
      ...(tunnelName !== undefined && { name: tunnelName }),
      ...(tunnelId !== undefined && { id: tunnelId }),
      secrets: entitled.map(({ config }) => config.secrets),
    },
    losers: rivals.flatMap(({ ref }) =>
      owner
        ? [
            {
              ref,
              what: `tunnel ${tunnelName}`,
              winner: owner.ref,
              reason: `${sourceId(owner.ref)} creates it; use existingTunnel to share it`,
            },
          ]
        : [],
    ),
  };
}
