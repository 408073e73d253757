/** The actions that the operator calls; a role for it needs these and no others. */
export const vpcActions = [
  'AllocateEipAddress',
  'DescribeEipAddresses',
  'ReleaseEipAddress',
  'ModifyEipAddressAttribute',
  'AddCommonBandwidthPackageIp',
  'RemoveCommonBandwidthPackageIp',
  'TagResources',
  'UnTagResources',
  'MoveResourceGroup',
] as const;
export type VpcAction = (typeof vpcActions)[number];

/** Flat, as the RPC style wants them: `Tag.1.Key`. */
export type VpcParams = Readonly<Record<string, string>>;

/** What came back, whatever it says. */
export type VpcAnswer = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** From `x-acs-retry-after`. */
  readonly retryAfterMs?: number | undefined;
};

/**
 * Sends one signed request. Rejects when no answer came or when it was no answer of the API: whether the call had
 * an effect is unknown then. The SDK is one; a simulator in process is another.
 */
export type VpcSend = (action: VpcAction, params: VpcParams, signal?: AbortSignal) => Promise<VpcAnswer>;

/** One call, paced and measured. Resolves with the body of a success, rejects with a `VpcError`. */
export type VpcApi = {
  readonly call: (action: VpcAction, params: VpcParams, signal?: AbortSignal) => Promise<VpcAnswer['body']>;
};

export function isRead(action: VpcAction): boolean {
  return action === 'DescribeEipAddresses';
}
