import { expect, test } from 'vitest';
import { allActions } from './all-actions.ts';

test('the actions there are, what they change and which of them take a token', () => {
  const marks = [...allActions.values()].map(
    ({ name, product, write, byToken }) =>
      `${product} ${name}${write ? ' writes' : ''}${byToken === true ? ' by token' : ''}`,
  );
  expect(marks.toSorted()).toEqual([
    'sts AssumeRoleWithOIDC',
    'vpc AddCommonBandwidthPackageIp writes by token',
    'vpc AllocateEipAddress writes by token',
    'vpc AssociateEipAddress writes by token',
    'vpc DeletionProtection writes by token',
    'vpc DescribeCommonBandwidthPackages',
    'vpc DescribeEipAddresses',
    'vpc ListTagResources',
    'vpc ModifyEipAddressAttribute writes',
    'vpc MoveResourceGroup writes',
    'vpc ReleaseEipAddress writes',
    'vpc RemoveCommonBandwidthPackageIp writes by token',
    'vpc TagResources writes',
    'vpc UnTagResources writes',
    'vpc UnassociateEipAddress writes by token',
  ]);
});
