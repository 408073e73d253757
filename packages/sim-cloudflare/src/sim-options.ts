import type { Clock } from '@tributary/runtime/clock';
import type { TokenOptions, UserOptions } from './api/credentials.ts';
import type { RateLimitOptions } from './api/create-rate-limit.ts';
import type { Plan, Zone } from './families/zones/zone.ts';
import { namedId } from './ids/create-id-source.ts';

export type AccountOptions = { readonly name: string; readonly id?: string };

export type ZoneOptions = {
  readonly name: string;
  readonly id?: string;
  /** The first account when absent. */
  readonly accountId?: string;
  readonly plan?: Plan;
  readonly status?: Zone['status'];
  readonly type?: Zone['type'];
  /** Takes the place of the plan's number of records. */
  readonly recordQuota?: number;
};

export type SimCloudflareOptions = {
  /** False: no socket at all; the simulator is reached by its `fetch` alone. */
  readonly listen?: boolean;
  /** 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly clock?: Clock;
  /** Equal randomness gives equal ids and equal faults. */
  readonly random?: () => number;
  readonly accounts?: readonly AccountOptions[];
  readonly zones?: readonly ZoneOptions[];
  /** The first one is handed out as `token`. */
  readonly tokens?: readonly TokenOptions[];
  /** Who may come with a global key. */
  readonly user?: UserOptions;
  /** How long every call takes. */
  readonly latencyMs?: number;
  /** `real`: 1,200 calls in five minutes. Off when absent. */
  readonly rateLimit?: RateLimitOptions | 'real' | 'off';
  /** What a remotely managed tunnel that was never configured answers: version 0 without a config, or an error. */
  readonly unconfiguredTunnel?: 'empty' | 'error';
  /** Told when a `crash` fault strikes, at that very moment. */
  readonly onCrash?: () => void;
};

/** Ids follow from names, so that a manifest that holds one works after every restart. */
export const defaultAccounts: readonly AccountOptions[] = [{ name: 'Tributary' }];

export const defaultZones: readonly ZoneOptions[] = [
  { name: 'example.com', plan: 'free' },
  { name: 'example.net', plan: 'pro' },
];

/** As long as a real one, because some clients count. */
export const defaultToken: TokenOptions = {
  value: `sim_${namedId('default token', 36)}`,
  name: 'everything',
};

export const defaultUser: UserOptions = { email: 'user@example.com', key: namedId('default key', 37) };
