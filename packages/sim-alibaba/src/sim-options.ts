import type { Clock } from '@tributary/runtime/clock';
import type { AccessKeyOptions } from './credentials/create-credentials.ts';
import type { TlsOptions } from '@tributary/sim-kit';
import { namedText } from './ids/create-id-source.ts';
import type { Limits } from './rpc/create-throttle.ts';

/** How long the provider takes for what it does after its answer, and how far some reads lag. */
export type Delays = {
  readonly releasingMs: number;
  readonly associatingMs: number;
  readonly unassociatingMs: number;
  /** Joining a package. */
  readonly bindingMs: number;
  /** Leaving a package. */
  readonly unbindingMs: number;
  /** A filter by tag sees the tags of so long ago. */
  readonly tagFilterLagMs: number;
  /** A new address is not described before. */
  readonly describeLagMs: number;
  /** So long after a change of its members a package refuses another one as a conflict. */
  readonly packageBusyMs: number;
  /** How long a ClientToken is remembered. */
  readonly tokenMemoryMs: number;
};

export type Quotas = {
  /** Pay-as-you-go addresses of one account. */
  readonly eips: number;
  readonly eipsPerPackage: number;
  readonly eipsPerNatGateway: number;
  readonly tagsPerEip: number;
  /** Ids, or addresses, that one DescribeEipAddresses may list. Some of the documentation knows of one only. */
  readonly idsPerDescribe: number;
};

export type PackageOptions = {
  readonly id?: string;
  readonly bandwidth?: number;
  readonly name?: string;
  readonly description?: string;
  readonly isp?: string;
  readonly regionId?: string;
  readonly accountId?: string;
  readonly securityProtectionTypes?: readonly string[];
};

export type SimAlibabaOptions = {
  /** False: no socket at all; the simulator is reached by its `call` alone. */
  readonly listen?: boolean;
  /** 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Serves HTTPS: some credential providers speak nothing else to the token service. */
  readonly tls?: TlsOptions;
  readonly clock?: Clock;
  /** Equal randomness gives equal ids and equal faults. */
  readonly random?: () => number;
  /** The region of the endpoint, for calls that name none. */
  readonly regionId?: string;
  /** The first one is handed out as `accessKeyId` and `accessKeySecret`. */
  readonly accessKeys?: readonly AccessKeyOptions[];
  /** Bandwidth packages that are there from the start. */
  readonly packages?: readonly PackageOptions[];
  /** How long every call takes. */
  readonly latencyMs?: number;
  /** Calls per action and minute of one account; `real`: what the provider grants by default. Off when absent. */
  readonly limits?: Limits;
  readonly quotas?: Partial<Quotas>;
  readonly delays?: Partial<Delays>;
  /** False: after a refusal the same ClientToken is as good as new. */
  readonly replayRefusals?: boolean;
  /** Who may be assumed with an OIDC token; any well-formed role when absent. */
  readonly roles?: readonly RoleOptions[];
  /** The role of the machine, for the metadata endpoint. */
  readonly ecsRole?: EcsRoleOptions;
  /** Told when a `crash` fault strikes, at that very moment. */
  readonly onCrash?: () => void;
};

export type RoleOptions = { readonly arn: string; readonly permissions?: readonly string[] };

export type EcsRoleOptions = {
  readonly name?: string;
  readonly permissions?: readonly string[];
  /** `v2`: a token is needed. `v1`: there are no tokens. Both when absent. */
  readonly metadata?: 'both' | 'v1' | 'v2';
  readonly sessionMs?: number;
};

export const defaultDelays: Delays = {
  releasingMs: 3_000,
  associatingMs: 3_000,
  unassociatingMs: 3_000,
  bindingMs: 3_000,
  unbindingMs: 3_000,
  tagFilterLagMs: 0,
  describeLagMs: 0,
  packageBusyMs: 0,
  tokenMemoryMs: 24 * 3_600_000,
};

export const defaultQuotas: Quotas = {
  eips: 20,
  eipsPerPackage: 100,
  eipsPerNatGateway: 20,
  tagsPerEip: 20,
  idsPerDescribe: 50,
};

export const defaultAccessKey: AccessKeyOptions = {
  id: `LTAI5t${namedText('default key', 18)}`,
  secret: namedText('default secret', 30),
};
