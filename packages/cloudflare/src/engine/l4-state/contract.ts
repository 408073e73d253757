import type { z } from 'zod';
import type { ResourceType } from './resource-types.ts';
import { priorities } from './source.ts';
import { syncStateName } from './sync-state-name.ts';
import type { TargetKey } from './sync-state-name.ts';
import type { CredentialsRef } from './sync-state.ts';

/** What kinds and a target agree on: how the target is identified, and what a source of it may hold. */
export type Contract<K extends TargetKey = TargetKey, C extends object = object> = {
  readonly type: ResourceType;
  /** `many`: sources are merged into one object; `one`: the first in winning order is the object. */
  readonly sources: 'one' | 'many';
  readonly config: z.ZodType<C>;
  /** For the name: what a person would call this target. */
  readonly readable: (key: K) => string;
  /** For the column: the stable key as text, or the real id where it is known beforehand. */
  readonly cloudflareId: (key: K) => string;
  /** The first word of layer 5's finalizer, where it is not the type in lower case. */
  readonly finalizer?: string;
  /** What a person calls it at Cloudflare, where that is not the type: `zone`. */
  readonly noun?: string;
  /** Further labels of the SyncState, for selectors. */
  readonly labels?: (key: K) => Readonly<Record<string, string>>;
};

export function defineContract<K extends TargetKey, C extends object>(contract: Contract<K, C>): Contract<K, C> {
  return Object.freeze(contract);
}

/** What one object asks of one target. */
export type Contribution = {
  readonly syncState: SyncStateHead;
  readonly config: Readonly<Record<string, unknown>>;
  readonly priority: number;
};

/** Everything in a SyncState that does not depend on its sources. */
export type SyncStateHead = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly finalizer: string;
  readonly resourceType: ResourceType;
  readonly cloudflareId: string;
  readonly accountId: string;
  readonly zoneId?: string;
  readonly credentialsRef: CredentialsRef;
  readonly key: TargetKey;
};

export type ContributionOptions = { readonly credentials: CredentialsRef; readonly priority?: number | undefined };

export function contribution<K extends TargetKey, C extends object>(
  contract: Contract<K, C>,
  key: K,
  config: C,
  { credentials, priority = priorities.normal }: ContributionOptions,
): Contribution {
  return {
    syncState: toHead(contract, key, credentials),
    config: { ...(contract.config.parse(config) as Record<string, unknown>) },
    priority,
  };
}

function toHead<K extends TargetKey, C extends object>(
  contract: Contract<K, C>,
  key: K,
  credentials: CredentialsRef,
): SyncStateHead {
  const { type } = contract;
  const { accountId = '', zoneId } = key as TargetKey;
  const name = syncStateName(type, key, contract.readable(key));
  return {
    name,
    labels: { 'cloudflare-operator.io/resource-type': type, ...contract.labels?.(key) },
    finalizer: `${contract.finalizer ?? type.toLowerCase()}.sync.cloudflare-operator.io/finalizer`,
    resourceType: type,
    cloudflareId: contract.cloudflareId(key),
    accountId,
    ...(zoneId !== undefined && { zoneId }),
    credentialsRef: credentials,
    key,
  };
}
