import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as credentials from '@alicloud/credentials';
import * as vpc from '@alicloud/vpc20160428';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimAlibaba } from '../start-sim-alibaba.ts';
import type { SimAlibaba } from '../start-sim-alibaba.ts';
import { classOf } from '../testing/class-of.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { createVpcClient } from '../testing/vpc-client.ts';

let sim: SimAlibaba;
let folder: string;
const trusted = getCACertificates('default');

// The credentials library speaks only HTTPS to the token service, and takes no certificate authority of its own.
beforeAll(async () => {
  const tls = await selfSigned();
  setDefaultCACertificates([...trusted, tls.cert]);
  sim = await startSimAlibaba({ tls });
  folder = await mkdtemp(join(tmpdir(), 'sim-alibaba-'));
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await sim.stop();
  await rm(folder, { recursive: true });
});

test('the official SDK assumes a role with a service account token and calls with its session', async () => {
  const oidcTokenFilePath = join(folder, 'token');
  await writeFile(oidcTokenFilePath, 'a service account token');
  const credential = new (classOf(credentials.default))(
    new credentials.Config({
      type: 'oidc_role_arn',
      roleArn: 'acs:ram::1000000000000001:role/eip',
      oidcProviderArn: 'acs:ram::1000000000000001:oidc-provider/ack',
      oidcTokenFilePath,
      stsEndpoint: sim.endpoint,
    }),
  );
  const keyless = { accessKeyId: undefined, accessKeySecret: undefined, protocol: 'https', credential };
  const client = createVpcClient(sim, keyless);
  await client.describeEipAddresses(new vpc.DescribeEipAddressesRequest({ regionId: sim.regionId }));
  expect(sim.url).toMatch(/^https:/);
  expect(sim.journal.calls().map(({ action, status }) => `${action} ${status}`)).toEqual([
    'AssumeRoleWithOIDC 200',
    'DescribeEipAddresses 200',
  ]);
  expect(sim.journal.calls()[1]?.accessKeyId).toMatch(/^STS\./);
});
