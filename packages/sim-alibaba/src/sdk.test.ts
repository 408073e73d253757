import * as credentials from '@alicloud/credentials';
import * as vpc from '@alicloud/vpc20160428';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSimAlibaba } from './start-sim-alibaba.ts';
import type { SimAlibaba } from './start-sim-alibaba.ts';
import { classOf } from './testing/class-of.ts';
import { seededRandom } from './testing/start-test-sim.ts';
import { createVpcClient } from './testing/vpc-client.ts';
import type { VpcClient } from './testing/vpc-client.ts';

let sim: SimAlibaba;
beforeAll(async () => {
  const delays = { releasingMs: 0, bindingMs: 0, unbindingMs: 0, associatingMs: 0, unassociatingMs: 0 };
  sim = await startSimAlibaba({ random: seededRandom(3), delays, limits: { DescribeCommonBandwidthPackages: 2 } });
});
beforeEach(() => sim.reset());
afterAll(async () => sim.stop());

const regionId = 'cn-hangzhou';

async function describeOne(client: VpcClient, allocationId: string): Promise<object> {
  const request = new vpc.DescribeEipAddressesRequest({ regionId, allocationId });
  const { body } = await client.describeEipAddresses(request);
  expect(body?.totalCount).toBe(1);
  return body?.eipAddresses?.eipAddress?.[0] ?? {};
}

const versions = [
  { name: 'ACS3-HMAC-SHA256', config: {} },
  { name: 'HMAC-SHA1', config: { signatureAlgorithm: 'v2' } },
];

for (const { name, config } of versions) {
  describe(`the official SDK over HTTP, unmodified, with ${name}`, () => {
    test('allocates, describes, changes and releases an address', async () => {
      const client = createVpcClient(sim, config);
      // Reserved marks and letters beyond ASCII are what signatures go wrong about.
      const description = "a+b c&d=e*f~(g)!h'i/ü 地址";
      const tag = [new vpc.AllocateEipAddressRequestTag({ key: 'owner (team)*', value: 'a b' })];
      const asked = { regionId, bandwidth: '10', internetChargeType: 'PayByTraffic', name: 'web', description, tag };
      const made = await client.allocateEipAddress(new vpc.AllocateEipAddressRequest({ ...asked, clientToken: 't' }));
      const again = await client.allocateEipAddress(new vpc.AllocateEipAddressRequest({ ...asked, clientToken: 't' }));
      const allocationId = made.body?.allocationId ?? '';
      expect(again.body?.allocationId).toBe(allocationId);
      expect(await describeOne(client, allocationId)).toMatchObject({
        status: 'Available',
        bandwidth: '10',
        description,
        tags: { tag: [{ key: 'owner (team)*', value: 'a b' }] },
      });
      await client.modifyEipAddressAttribute(
        new vpc.ModifyEipAddressAttributeRequest({ regionId, allocationId, bandwidth: '20', name: 'other' }),
      );
      expect(await describeOne(client, allocationId)).toMatchObject({ bandwidth: '20', name: 'other' });
      await client.releaseEipAddress(new vpc.ReleaseEipAddressRequest({ regionId, allocationId }));
      expect(sim.state.eips()).toEqual([]);
    });

    test('joins and leaves a package, is bound and unbound, tagged and untagged, moved and protected', async () => {
      const client = createVpcClient(sim, config);
      const bandwidthPackageId = sim.dashboard.createPackage({ bandwidth: 300 });
      const allocationId = sim.dashboard.allocate({ Bandwidth: '7' });
      const membership = { regionId, bandwidthPackageId, ipInstanceId: allocationId };
      await client.addCommonBandwidthPackageIp(new vpc.AddCommonBandwidthPackageIpRequest(membership));
      expect(await describeOne(client, allocationId)).toMatchObject({ bandwidth: '300', eipBandwidth: '7' });
      const packages = await client.describeCommonBandwidthPackages(
        new vpc.DescribeCommonBandwidthPackagesRequest({ regionId }),
      );
      expect(packages.body?.commonBandwidthPackages?.commonBandwidthPackage).toMatchObject([
        { bandwidthPackageId, publicIpAddresses: { publicIpAddresse: [{ allocationId }] } },
      ]);
      await client.removeCommonBandwidthPackageIp(new vpc.RemoveCommonBandwidthPackageIpRequest(membership));
      const bound = { regionId, allocationId, instanceId: 'i-1' };
      await client.associateEipAddress(new vpc.AssociateEipAddressRequest(bound));
      expect(await describeOne(client, allocationId)).toMatchObject({ status: 'InUse', instanceId: 'i-1' });
      await client.unassociateEipAddress(new vpc.UnassociateEipAddressRequest(bound));
      const tagged = { regionId, resourceType: 'EIP', resourceId: [allocationId] };
      const tag = [new vpc.TagResourcesRequestTag({ key: 'k', value: 'v' })];
      await client.tagResources(new vpc.TagResourcesRequest({ ...tagged, tag }));
      const listed = await client.listTagResources(new vpc.ListTagResourcesRequest(tagged));
      expect(listed.body?.tagResources?.tagResource).toMatchObject([{ resourceId: allocationId, tagKey: 'k' }]);
      await client.unTagResources(new vpc.UnTagResourcesRequest({ ...tagged, tagKey: ['k'] }));
      await client.moveResourceGroup(
        new vpc.MoveResourceGroupRequest({
          regionId,
          resourceId: allocationId,
          newResourceGroupId: 'rg-2',
          resourceType: 'eip',
        }),
      );
      await client.deletionProtection(
        new vpc.DeletionProtectionRequest({ regionId, instanceId: allocationId, type: 'EIP', protectionEnable: true }),
      );
      expect(await describeOne(client, allocationId)).toMatchObject({
        bandwidth: '7',
        resourceGroupId: 'rg-2',
        deletionProtection: true,
        status: 'Available',
        tags: { tag: [] },
      });
    });

    test('reads refusals as it reads those of the provider', async () => {
      const client = createVpcClient(sim, config);
      const gone = new vpc.ReleaseEipAddressRequest({ regionId, allocationId: 'eip-none' });
      await expect(client.releaseEipAddress(gone)).rejects.toMatchObject({
        code: 'InvalidAllocationId.NotFound',
        statusCode: 404,
      });
      const list = async (): Promise<unknown> =>
        client.describeCommonBandwidthPackages(new vpc.DescribeCommonBandwidthPackagesRequest({ regionId }));
      await list();
      await list();
      await expect(list()).rejects.toMatchObject({ name: 'ThrottlingError', code: 'Throttling.User' });
      await expect(list()).rejects.toMatchObject({ retryAfter: expect.any(Number) as number });
    });

    test('is refused with the wrong secret, an unknown key, a session without its token', async () => {
      const describing = async (more: object): Promise<unknown> =>
        createVpcClient(sim, { ...config, ...more }).describeEipAddresses(
          new vpc.DescribeEipAddressesRequest({ regionId }),
        );
      await expect(describing({ accessKeySecret: 'wrong' })).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' });
      await expect(describing({ accessKeyId: 'who' })).rejects.toMatchObject({ code: 'InvalidAccessKeyId.NotFound' });
      const issued = sim.credentials.issue({ accountId: '1', permissions: undefined, lastsMs: 60_000 });
      const { accessKeyId, accessKeySecret, securityToken } = issued;
      const session = { accessKeyId, accessKeySecret };
      await expect(describing(session)).rejects.toMatchObject({ code: 'MissingSecurityToken' });
      await expect(describing({ ...session, securityToken })).resolves.toMatchObject({ statusCode: 200 });
    });
  });
}

test('the official SDK takes credentials from the credentials URI', async () => {
  const credential = new (classOf(credentials.default))(
    new credentials.Config({ type: 'credentials_uri', credentialsURI: `${sim.url}/credentials` }),
  );
  const client = createVpcClient(sim, { accessKeyId: undefined, accessKeySecret: undefined, credential });
  await client.describeEipAddresses(new vpc.DescribeEipAddressesRequest({ regionId }));
  expect(sim.journal.calls().map(({ action, status }) => `${action} ${status}`)).toEqual([
    'GetCredentials 200',
    'DescribeEipAddresses 200',
  ]);
  expect(sim.journal.calls()[1]?.accessKeyId).toMatch(/^STS\./);
});
