export type EipStatus = 'Available' | 'Associating' | 'InUse' | 'Unassociating' | 'Releasing';

export type Binding = {
  readonly instanceId: string;
  readonly instanceType: string;
  readonly regionId: string;
  readonly privateIpAddress?: string;
  readonly vpcId?: string;
  readonly mode?: string;
};

export type Membership = {
  readonly packageId: string;
  readonly relation: 'BINDING' | 'BINDED' | 'UNBINDING';
};

/** What can be under way at the same time: a load balancer takes an address and puts it into a package at once. */
export type Aspect = 'status' | 'membership';

export type Tags = Readonly<Record<string, string>>;

/** An elastic address as the provider keeps it; what a caller sees is made of it by `toEipItem`. */
export type Eip = {
  readonly allocationId: string;
  readonly accountId: string;
  readonly regionId: string;
  readonly ipAddress: string;
  readonly status: EipStatus;
  /** Its own, also while it is in a package. */
  readonly bandwidth: number;
  readonly internetChargeType: string;
  readonly chargeType: 'PostPaid' | 'PrePaid';
  readonly isp: string;
  readonly name: string;
  readonly description: string;
  readonly resourceGroupId: string;
  readonly publicIpAddressPoolId: string;
  readonly securityProtectionTypes: readonly string[];
  readonly zone: string;
  readonly tags: Tags;
  /** Tags as they were, with the moment from which on: a filter by tag may see an older state. */
  readonly tagHistory: readonly { readonly sinceMs: number; readonly tags: Tags }[];
  readonly binding?: Binding;
  readonly membership?: Membership;
  readonly locks: readonly string[];
  readonly deletionProtection: boolean;
  readonly serviceManaged: boolean;
  readonly allocatedAt: number;
  /** On the clock that never jumps. */
  readonly visibleFromMs: number;
  readonly expiresAt?: number;
  /** Which changes under way may still end; a later one of the same aspect takes its place. */
  readonly tasks: Readonly<Record<Aspect, number>>;
};

export type BandwidthPackage = {
  readonly bandwidthPackageId: string;
  readonly accountId: string;
  readonly regionId: string;
  readonly bandwidth: number;
  readonly name: string;
  readonly description: string;
  readonly isp: string;
  readonly securityProtectionTypes: readonly string[];
  readonly resourceGroupId: string;
  readonly createdAt: number;
  /** Until then another change of its members is a conflict. */
  readonly busyUntilMs: number;
};
