import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { systemAccessDeps, systemClock } from '@tributary/runtime';
import { startSimAlibaba } from '@tributary/sim-alibaba';
import type { SimAlibaba } from '@tributary/sim-alibaba';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned } from '../../../sim-alibaba/src/testing/self-signed.ts';
import { endpointOf } from '../provider/endpoint.ts';
import { createSdkSend } from '../provider/sdk-send.ts';
import { createCredentials } from './create-credentials.ts';

let sim: SimAlibaba;
let folder: string;
const trusted = getCACertificates('default');

// The credentials library speaks only HTTPS to the token service, and takes no certificate authority of its own.
beforeAll(async () => {
  const tls = await selfSigned();
  setDefaultCACertificates([...trusted, tls.cert]);
  sim = await startSimAlibaba({ tls });
  folder = await mkdtemp(join(tmpdir(), 'eip-oidc-'));
  await writeFile(join(folder, 'token'), 'a service account token');
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await sim.stop();
  await rm(folder, { recursive: true });
});

test('the role of a ServiceAccount: a refusal heals, twenty calls at once make one session, and all carry it', async () => {
  const env = {
    ALIBABA_CLOUD_ROLE_ARN: 'acs:ram::1000000000000001:role/eip',
    ALIBABA_CLOUD_OIDC_PROVIDER_ARN: 'acs:ram::1000000000000001:oidc-provider/ack',
    ALIBABA_CLOUD_OIDC_TOKEN_FILE: join(folder, 'token'),
  };
  const credentials = createCredentials(
    { mode: 'auto', path: '', env, stsEndpoint: sim.endpoint },
    { files: systemAccessDeps({}), fetch, clock: systemClock },
  );
  const send = createSdkSend({ regionId: sim.regionId, endpoint: endpointOf(sim.regionId, sim.url) }, { credentials });
  const describeAll = async () => send('DescribeEipAddresses', { RegionId: sim.regionId });

  sim.faults.arm({ match: { action: 'AssumeRoleWithOIDC' }, fault: { kind: 'error', code: 'EntityNotExist.Role' } });
  const refused = await describeAll().catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'credentials/invalid' });
  expect(String(refused)).not.toContain('a service account token');

  const answers = await Promise.all(Array.from({ length: 20 }, describeAll));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(sim.journal.countByAction()).toEqual({ AssumeRoleWithOIDC: 2, DescribeEipAddresses: 20 });
  expect(
    sim.journal.calls({ action: 'DescribeEipAddresses' }).every(({ accessKeyId }) => accessKeyId.startsWith('STS.')),
  ).toBe(true);
});
