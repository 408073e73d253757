import { connect, crdKind } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import { describe, expect, test } from 'vitest';
import { eipKind } from './resource.ts';
import { expectSpecRules } from './testing/expect-spec-rules.ts';
import { specCases } from './testing/spec-cases.ts';

describe('our own check agrees with the API server’s:', () => {
  test.each(specCases)('$name', ({ spec, says }) => {
    const checked = eipKind.parseSpec(spec);
    expect(checked.ok ? '' : checked.message).toContain(says ?? '');
    expect(checked.ok).toBe(says === undefined);
  });
});

test('the embedded server takes and refuses what it should', async () => {
  const cluster = await startCluster({ listen: false });
  const { client } = connect({ transport: cluster.transport() });
  await client.create(crdKind, { ...eipKind.toCrd() });
  await expectSpecRules(client);
  await cluster.stop();
});

test('the CRD is the original’s: names, scope, columns, defaults, and the field that only its release had', () => {
  const { spec } = eipKind.toCrd();
  expect(spec.group).toBe('eip.alibabacloud.com');
  expect(spec.scope).toBe('Namespaced');
  expect(spec.names).toEqual({
    kind: 'EIP',
    listKind: 'EIPList',
    plural: 'eips',
    singular: 'eip',
    shortNames: ['eip'],
  });
  const [version] = spec.versions;
  expect(version?.name).toBe('v1alpha1');
  expect(version?.subresources).toEqual({ status: {} });
  expect(version?.additionalPrinterColumns?.map(({ name, jsonPath }) => [name, jsonPath])).toEqual([
    ['AllocationID', '.status.allocationID'],
    ['EIP Address', '.status.eipAddress'],
    ['Status', '.status.status'],
    ['Bandwidth', '.status.bandwidth'],
    ['Age', '.metadata.creationTimestamp'],
  ]);
  const { properties = {} } = version?.schema.openAPIV3Schema ?? {};
  expect(Object.keys(properties['spec']?.properties ?? {}).toSorted()).toEqual([
    'allocationID',
    'bandwidth',
    'bandwidthPackageID',
    'description',
    'instanceChargeType',
    'internetChargeType',
    'isp',
    'name',
    'publicIPAddressPoolID',
    'releaseStrategy',
    'resourceGroupID',
    'securityProtectionTypes',
    'tags',
  ]);
  expect(properties['status']?.properties).toHaveProperty('securityProtectionTypes');
  expect(eipKind.parseSpec({})).toEqual({
    ok: true,
    value: { internetChargeType: 'PayByTraffic', releaseStrategy: 'OnDelete' },
  });
});
