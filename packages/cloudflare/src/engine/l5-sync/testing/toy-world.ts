import type { Contribution } from '../../l4-state/contract.ts';
import { startSyncWorld, wishOf } from './sync-world.ts';
import type { SyncWorld, SyncWorldOptions } from './sync-world.ts';
import { createToyProvider } from './toy-provider.ts';
import type { ToyProvider } from './toy-provider.ts';
import { boardContract, boardTarget, recordContract, recordTarget, thingContract, thingTarget } from './toy-targets.ts';

export type ToyWorld = SyncWorld & { readonly toy: ToyProvider };

export type ToyWorldOptions = Partial<Omit<SyncWorldOptions, 'provider'>> & { readonly latencyMs?: number };

/** A world with the three toy targets. */
export async function startToyWorld({ latencyMs = 0, ...options }: ToyWorldOptions = {}): Promise<ToyWorld> {
  let toy: ToyProvider | undefined;
  const world = await startSyncWorld({
    targets: [recordTarget, thingTarget, boardTarget],
    ...options,
    provider: (clock) => {
      toy = createToyProvider({ clock, latencyMs });
      return toy.inWorld;
    },
  });
  if (!toy) throw new Error('there is no provider');
  return { ...world, toy };
}

type Extra = { readonly adopt?: boolean; readonly comment?: string };

export function record(name: string, value: string, extra: Extra = {}): Contribution {
  return wishOf(recordContract, { accountId: 'a', zoneId: 'z', name }, { value, ...extra });
}

export function thing(name: string, size: number, secretName?: string): Contribution {
  return wishOf(thingContract, { accountId: 'a', name }, { size, ...(secretName !== undefined && { secretName }) });
}

export function board(...entries: readonly string[]): Contribution {
  return wishOf(boardContract, { accountId: 'a', board: 'b' }, { entries: [...entries] });
}
