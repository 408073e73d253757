import type { Family, World } from './api/route.ts';
import { timestamp } from './api/route.ts';
import { accounts } from './families/account-tables.ts';
import { zones } from './families/zones/zone.ts';
import type { Zone } from './families/zones/zone.ts';
import { namedId } from './ids/create-id-source.ts';
import type { AccountOptions, ZoneOptions } from './sim-options.ts';
import { globalScope } from './store/table.ts';
import type { Draft } from './store/table.ts';

export type Seed = {
  readonly accounts: readonly AccountOptions[];
  readonly zones: readonly ZoneOptions[];
  readonly families: readonly Family[];
};

export function accountIdOf({ id, name }: AccountOptions): string {
  return id ?? namedId(`account:${name}`);
}

/** Lays down what there is before the first call. */
export function seedState(state: Draft, seed: Seed, world: World): void {
  for (const account of seed.accounts) {
    const id = accountIdOf(account);
    state.put(accounts, globalScope, id, { id, name: account.name, createdOn: timestamp(world) });
    for (const { seedAccount } of seed.families) seedAccount?.(state, id, world);
  }
  const [first] = seed.accounts;
  const firstId = first ? accountIdOf(first) : '';
  for (const options of seed.zones) {
    const zone = toZone(options, firstId, timestamp(world));
    state.put(zones, globalScope, zone.id, zone);
  }
}

function toZone(options: ZoneOptions, accountId: string, at: string): Zone {
  const status = options.status ?? 'active';
  return {
    id: options.id ?? namedId(`zone:${options.name}`),
    name: options.name,
    accountId: options.accountId ?? accountId,
    plan: options.plan ?? 'free',
    status,
    type: options.type ?? 'full',
    paused: false,
    nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    createdOn: at,
    modifiedOn: at,
    activatedOn: status === 'active' ? at : null,
    ...(options.recordQuota !== undefined && { recordQuota: options.recordQuota }),
  };
}
