import type { Action } from '../rpc/action.ts';
import { addCommonBandwidthPackageIp } from './add-common-bandwidth-package-ip.ts';
import { allocateEipAddress } from './allocate-eip-address.ts';
import { associateEipAddress } from './associate-eip-address.ts';
import { assumeRoleWithOidc } from './assume-role-with-oidc.ts';
import { deletionProtection } from './deletion-protection.ts';
import { describeCommonBandwidthPackages } from './describe-common-bandwidth-packages.ts';
import { describeEipAddresses } from './describe-eip-addresses.ts';
import { listTagResources } from './list-tag-resources.ts';
import { modifyEipAddressAttribute } from './modify-eip-address-attribute.ts';
import { moveResourceGroup } from './move-resource-group.ts';
import { releaseEipAddress } from './release-eip-address.ts';
import { removeCommonBandwidthPackageIp } from './remove-common-bandwidth-package-ip.ts';
import { tagResources, unTagResources } from './tag-resources.ts';
import { unassociateEipAddress } from './unassociate-eip-address.ts';

/** A further action is a file and a line here. */
const actions: readonly Action[] = [
  addCommonBandwidthPackageIp,
  allocateEipAddress,
  associateEipAddress,
  assumeRoleWithOidc,
  deletionProtection,
  describeCommonBandwidthPackages,
  describeEipAddresses,
  listTagResources,
  modifyEipAddressAttribute,
  moveResourceGroup,
  releaseEipAddress,
  removeCommonBandwidthPackageIp,
  tagResources,
  unTagResources,
  unassociateEipAddress,
];

export const allActions: ReadonlyMap<string, Action> = new Map(actions.map((action) => [action.name, action]));
