import type { DescribeEipAddressesResponseBody } from '@alicloud/vpc20160428';
import type { ObservedEip } from '../eip/observed-eip.ts';
import { toObservedEip } from './to-observed-eip.ts';
import type { EipOnWire, OnWire } from './to-observed-eip.ts';
import type { VpcApi, VpcParams } from './vpc-send.ts';

export const maxIdsPerCall = 50;
export const maxPageSize = 100;
/** So many tags in one call of TagResources or UnTagResources. */
const maxTagsPerCall = 20;

export type EipPage = { readonly total: number; readonly eips: readonly ObservedEip[] };
export type PageQuery = { readonly page: number; readonly tags?: Readonly<Record<string, string>> };

/** The calls of the API in our words. What is asked for and so already is a success. */
export type EipCalls = {
  /** `params` as `toAllocateParams` made them; the token makes a second call return the first one's address. */
  readonly allocate: (
    params: VpcParams,
    token: string,
    signal?: AbortSignal,
  ) => Promise<{ id: string; address: string }>;
  readonly release: (id: string, signal?: AbortSignal) => Promise<void>;
  readonly modify: (id: string, changes: AttributeChanges, signal?: AbortSignal) => Promise<void>;
  readonly joinPackage: (id: string, packageId: string, signal?: AbortSignal) => Promise<void>;
  readonly leavePackage: (id: string, packageId: string, signal?: AbortSignal) => Promise<void>;
  readonly tag: (id: string, tags: Readonly<Record<string, string>>, signal?: AbortSignal) => Promise<void>;
  readonly untag: (id: string, keys: readonly string[], signal?: AbortSignal) => Promise<void>;
  readonly moveResourceGroup: (id: string, resourceGroupId: string, signal?: AbortSignal) => Promise<void>;
  readonly describePage: (query: PageQuery, signal?: AbortSignal) => Promise<EipPage>;
  /** At most 50 ids. */
  readonly describeIds: (ids: readonly string[], signal?: AbortSignal) => Promise<readonly ObservedEip[]>;
};

export type AttributeChanges = {
  readonly bandwidth?: string;
  readonly name?: string;
  readonly description?: string;
};

export function createEipCalls({ regionId }: { readonly regionId: string }, { call }: VpcApi): EipCalls {
  const RegionId = regionId;
  const packaged = (id: string, BandwidthPackageId: string): VpcParams => ({
    RegionId,
    BandwidthPackageId,
    IpInstanceId: id,
    IpType: 'EIP',
  });
  const describe = async (params: VpcParams, signal: AbortSignal | undefined): Promise<EipPage> =>
    toPage(await call('DescribeEipAddresses', { RegionId, ...params }, signal));
  return {
    allocate: async (params, token, signal) => {
      const body = await call('AllocateEipAddress', { ...params, ClientToken: token }, signal);
      return { id: textOf(body['AllocationId']), address: textOf(body['EipAddress']) };
    },
    release: async (AllocationId, signal) => void (await call('ReleaseEipAddress', { RegionId, AllocationId }, signal)),
    modify: async (AllocationId, changes, signal) =>
      void (await call('ModifyEipAddressAttribute', { RegionId, AllocationId, ...toAttributes(changes) }, signal)),
    joinPackage: async (id, packageId, signal) =>
      void (await call('AddCommonBandwidthPackageIp', packaged(id, packageId), signal)),
    leavePackage: async (id, packageId, signal) =>
      void (await call('RemoveCommonBandwidthPackageIp', packaged(id, packageId), signal)),
    tag: async (id, tags, signal) => {
      for (const some of chunksOf(Object.entries(tags), maxTagsPerCall)) {
        await call('TagResources', { RegionId, ...resource(id), ...tagParams(some) }, signal);
      }
    },
    untag: async (id, keys, signal) => {
      for (const some of chunksOf(keys, maxTagsPerCall)) {
        await call('UnTagResources', { RegionId, ...resource(id), ...numbered('TagKey', some) }, signal);
      }
    },
    moveResourceGroup: async (ResourceId, NewResourceGroupId, signal) =>
      void (await call('MoveResourceGroup', { RegionId, ResourceId, NewResourceGroupId, ResourceType: 'Eip' }, signal)),
    describePage: async ({ page, tags = {} }, signal) =>
      describe({ PageNumber: `${page}`, PageSize: `${maxPageSize}`, ...tagParams(Object.entries(tags)) }, signal),
    describeIds: async (ids, signal) =>
      (await describe({ AllocationId: ids.join(','), PageNumber: '1', PageSize: `${maxPageSize}` }, signal)).eips,
  };
}

/** `Tag.1.Key`, `Tag.1.Value`, … */
export function tagParams(tags: readonly (readonly [key: string, value: string])[]): VpcParams {
  return Object.fromEntries(
    tags.flatMap(([key, value], index) => [
      [`Tag.${index + 1}.Key`, key],
      [`Tag.${index + 1}.Value`, value],
    ]),
  );
}

/** `Name.1`, `Name.2`, … */
export function numbered(name: string, values: readonly string[]): VpcParams {
  return Object.fromEntries(values.map((value, index) => [`${name}.${index + 1}`, value]));
}

export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function resource(id: string): VpcParams {
  return { ResourceType: 'EIP', 'ResourceId.1': id };
}

function toAttributes({ bandwidth, name, description }: AttributeChanges): VpcParams {
  return {
    ...(bandwidth !== undefined && { Bandwidth: bandwidth }),
    ...(name !== undefined && { Name: name }),
    ...(description !== undefined && { Description: description }),
  };
}

function toPage(body: Readonly<Record<string, unknown>>): EipPage {
  const page = body as OnWire<DescribeEipAddressesResponseBody>;
  const items = (page.EipAddresses?.EipAddress ?? []) as readonly EipOnWire[];
  return { total: page.TotalCount ?? 0, eips: items.map(toObservedEip) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
