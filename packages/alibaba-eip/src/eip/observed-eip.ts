/** One address as the provider shows it, with the traps of the API taken out. */
export type ObservedEip = {
  readonly id: string;
  readonly address: string;
  /** Available, InUse, Associating, Unassociating, Releasing. */
  readonly status: string;
  /** The address's own; inside a package the API calls it EipBandwidth and shows the package's as Bandwidth. */
  readonly bandwidth: string;
  readonly packageId: string;
  readonly internetChargeType: string;
  readonly instanceChargeType: string;
  readonly isp: string;
  readonly name: string;
  readonly description: string;
  readonly resourceGroupId: string;
  readonly poolId: string;
  readonly securityProtectionTypes: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  /** What it is bound to, for example `NetworkInterface eni-1`; empty when nothing. */
  readonly boundTo: string;
  /** `financial`, `security`. */
  readonly locks: readonly string[];
  readonly deletionProtection: boolean;
  readonly serviceManaged: boolean;
};

/** What is known of the address of an object at the provider. */
export type Observation =
  | { readonly kind: 'unknown' }
  /** Asked for by its id, and not there. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'seen'; readonly eip: ObservedEip };
