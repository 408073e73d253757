import { allocateEipAddress } from '../actions/allocate-eip-address.ts';
import { defaultResourceGroupId } from '../estate/default-resource-group-id.ts';
import type { Binding, Eip, Tags } from '../estate/eip.ts';
import { associate, joinPackage, leavePackage, release, unassociate } from '../estate/moves.ts';
import type { Params } from '../rpc/params.ts';
import type { PackageOptions } from '../sim-options.ts';
import type { World } from '../world.ts';

export type DashboardInstance = Partial<Binding> & Pick<Binding, 'instanceId'>;

/** A change that takes its time goes through the state in between; others are done at once. */
export type Pace = { readonly overMs?: number };

/**
 * What a person or another service does at the provider: at once, without limits, faults and a trace in the journal,
 * and past the rules of the API where those would be in the way.
 */
export type Dashboard = {
  /** A new address, by the parameters of AllocateEipAddress; its id. */
  readonly allocate: (params?: Params) => string;
  readonly associate: (allocationId: string, instance: DashboardInstance | string, pace?: Pace) => void;
  readonly unassociate: (allocationId: string, pace?: Pace) => void;
  /** As a load balancer does with the addresses that it is given. */
  readonly joinPackage: (allocationId: string, packageId: string, pace?: Pace) => void;
  readonly leavePackage: (allocationId: string, pace?: Pace) => void;
  /** Gone, whatever it was doing. */
  readonly release: (allocationId: string, pace?: Pace) => void;
  /** Tags with these keys get these values; `undefined` takes one away. */
  readonly retag: (allocationId: string, tags: Readonly<Record<string, string | undefined>>) => void;
  readonly lock: (allocationId: string, reason: 'financial' | 'security') => void;
  readonly unlock: (allocationId: string) => void;
  readonly setDeletionProtection: (allocationId: string, enabled: boolean) => void;
  readonly rename: (allocationId: string, name: string) => void;
  /** Any other change of what is stored. */
  readonly change: (allocationId: string, fields: Partial<Eip>) => void;
  /** Its id. */
  readonly createPackage: (given?: PackageOptions) => string;
  /** Its addresses leave it at once. */
  readonly deletePackage: (id: string) => void;
};

export type DashboardOwner = { readonly regionId: string; readonly accountId: string };

export function createDashboard(world: World, owner: DashboardOwner): Dashboard {
  const { estate } = world;
  const eipOf = (id: string): Eip => {
    const eip = estate.eip(id);
    if (!eip) throw new Error(`there is no address ${id}`);
    return eip;
  };
  const change = (id: string, fields: Partial<Eip>): void => estate.putEip({ ...eipOf(id), ...fields });
  const retag: Dashboard['retag'] = (id, tags) => {
    const eip = eipOf(id);
    const merged = Object.entries({ ...eip.tags, ...tags }).filter(([, value]) => value !== undefined);
    estate.setTags(eip, Object.fromEntries(merged) as Tags);
  };
  return {
    allocate: (params = {}) => {
      const asked = { InternetChargeType: 'PayByTraffic', RegionId: owner.regionId, ...params };
      const caller = { id: 'dashboard', accountId: owner.accountId };
      const unlimited = { ...world, quotas: { ...world.quotas, eips: Infinity } };
      const reply = allocateEipAddress.run({ params: asked, regionId: asked.RegionId, caller, world: unlimited });
      return String(reply['AllocationId']);
    },
    ...createMoves(world, eipOf),
    retag,
    lock: (id, reason) => change(id, { locks: [...new Set([...eipOf(id).locks, reason])] }),
    unlock: (id) => change(id, { locks: [] }),
    setDeletionProtection: (id, deletionProtection) => change(id, { deletionProtection }),
    rename: (id, name) => change(id, { name }),
    change,
    createPackage: (given = {}) => putPackage(world, owner, given),
    deletePackage: (id) => {
      for (const eip of estate.eips()) if (eip.membership?.packageId === id) leavePackage(estate, eip, id, 0);
      estate.removePackage(id);
    },
  };
}

type Moves = Pick<Dashboard, 'associate' | 'unassociate' | 'joinPackage' | 'leavePackage' | 'release'>;

function createMoves({ estate }: World, eipOf: (id: string) => Eip): Moves {
  return {
    associate: (id, instance, { overMs = 0 } = {}) => {
      const given = typeof instance === 'string' ? { instanceId: instance } : instance;
      const eip = eipOf(id);
      associate(estate, eip, { instanceType: 'NlbInstance', regionId: eip.regionId, ...given }, overMs);
    },
    unassociate: (id, { overMs = 0 } = {}) => unassociate(estate, eipOf(id), overMs),
    joinPackage: (id, packageId, { overMs = 0 } = {}) => {
      if (!estate.package(packageId)) throw new Error(`there is no package ${packageId}`);
      joinPackage(estate, eipOf(id), packageId, overMs);
    },
    leavePackage: (id, { overMs = 0 } = {}) => {
      const eip = eipOf(id);
      if (eip.membership) leavePackage(estate, eip, eip.membership.packageId, overMs);
    },
    release: (id, { overMs = 0 } = {}) => release(estate, eipOf(id), overMs),
  };
}

function putPackage({ estate, ids, now }: World, owner: DashboardOwner, given: PackageOptions): string {
  const id = given.id ?? ids.resource('cbwp');
  estate.putPackage({
    bandwidthPackageId: id,
    accountId: given.accountId ?? owner.accountId,
    regionId: given.regionId ?? owner.regionId,
    bandwidth: given.bandwidth ?? 100,
    name: given.name ?? '',
    description: given.description ?? '',
    isp: given.isp ?? 'BGP',
    securityProtectionTypes: given.securityProtectionTypes ?? [],
    resourceGroupId: defaultResourceGroupId,
    createdAt: now(),
    busyUntilMs: 0,
  });
  return id;
}
