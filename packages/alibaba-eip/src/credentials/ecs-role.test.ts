import { systemAccessDeps, systemClock } from '@tributary/runtime';
import { startSimAlibaba } from '@tributary/sim-alibaba';
import type { SimAlibaba, SimAlibabaOptions } from '@tributary/sim-alibaba';
import { createSimulatedClock } from '@tributary/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { endpointOf } from '../provider/endpoint.ts';
import { createSdkSend } from '../provider/sdk-send.ts';
import { createCredentials } from './create-credentials.ts';
import { createEcsRole } from './ecs-role.ts';

let sim: SimAlibaba;
afterEach(async () => sim.stop());

const hour = 3_600_000;

/** A role on the simulator's machine, over HTTP and on simulated time. */
async function startRole(ecsRole: SimAlibabaOptions['ecsRole'] = {}, onlyV2 = false, role?: string) {
  const clock = createSimulatedClock();
  sim = await startSimAlibaba({ clock, ecsRole: { name: 'eip', sessionMs: 6 * hour, ...ecsRole } });
  const provider = createEcsRole({ endpoint: sim.url, onlyV2, role }, { fetch, clock });
  const keyOf = async (): Promise<unknown> => (await provider.getCredentials()).accessKeyId;
  return { clock, keyOf, counts: () => sim.journal.countByAction() };
}

describe('the role of the machine', () => {
  test('a refusal heals, twenty calls at once make one session, and the API takes it', async () => {
    sim = await startSimAlibaba({ ecsRole: { name: 'eip', metadata: 'v2' } });
    const credentials = createCredentials(
      { mode: 'auto', path: '', env: { ALIBABA_CLOUD_ECS_METADATA: 'eip' }, ecsMetadataEndpoint: sim.url },
      { files: systemAccessDeps({}), fetch, clock: systemClock },
    );
    const send = createSdkSend(
      { regionId: sim.regionId, endpoint: endpointOf(sim.regionId, sim.url) },
      { credentials },
    );
    const describeAll = async () => send('DescribeEipAddresses', { RegionId: sim.regionId });
    sim.faults.arm({ match: { action: 'GetRoleCredentials' }, fault: { kind: 'html', when: 'before' } });
    await expect(describeAll()).rejects.toMatchObject({ code: 'credentials/invalid' });
    const answers = await Promise.all(Array.from({ length: 20 }, describeAll));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(sim.journal.countByAction()).toEqual({
      GetMetadataToken: 2,
      GetRoleCredentials: 2,
      DescribeEipAddresses: 20,
    });
  });

  test('its name is asked for where nobody gave it', async () => {
    const { keyOf, counts } = await startRole();
    expect(await keyOf()).toMatch(/^STS\./);
    expect(counts()).toEqual({ GetMetadataToken: 1, GetRoleName: 1, GetRoleCredentials: 1 });
  });

  test('a machine that knows only version 1 is asked without a token', async () => {
    const { keyOf } = await startRole({ metadata: 'v1' });
    expect(await keyOf()).toMatch(/^STS\./);
  });

  test('unless that is forbidden', async () => {
    const { keyOf } = await startRole({ metadata: 'v1' }, true);
    await expect(keyOf()).rejects.toThrow('the metadata service answers 404 to api/token');
  });

  test('a role that the machine does not have is named, and nothing else', async () => {
    const { keyOf } = await startRole({}, false, 'other');
    await expect(keyOf()).rejects.toThrow(
      'the metadata service answers 404 to meta-data/ram/security-credentials/other',
    );
  });

  test('a session is kept, and renewed a quarter of an hour before it ends', async () => {
    const { clock, keyOf } = await startRole();
    const first = await keyOf();
    await clock.advance(5.7 * hour);
    expect(await keyOf()).toBe(first);
    await clock.advance(0.1 * hour);
    expect(await keyOf()).not.toBe(first);
  });

  test('a short one in the second half of its life', async () => {
    const { clock, keyOf } = await startRole({ sessionMs: 600_000 });
    const first = await keyOf();
    await clock.advance(299_000);
    expect(await keyOf()).toBe(first);
    await clock.advance(2000);
    expect(await keyOf()).not.toBe(first);
  });

  test('a renewal that fails is no failure while the session lives', async () => {
    const { clock, keyOf } = await startRole();
    const first = await keyOf();
    sim.faults.arm({ match: { action: 'GetRoleCredentials' }, times: 2, fault: { kind: 'html', when: 'before' } });
    await clock.advance(5.9 * hour);
    expect(await keyOf()).toBe(first);
    await clock.advance(0.2 * hour);
    await expect(keyOf()).rejects.toThrow('the metadata service answers 502');
    expect(await keyOf()).not.toBe(first);
  });

  test('switched off, it is not asked', async () => {
    sim = await startSimAlibaba();
    const env = { ALIBABA_CLOUD_ECS_METADATA: 'eip', ALIBABA_CLOUD_ECS_METADATA_DISABLED: 'true' };
    const source = createCredentials(
      { mode: 'auto', path: '', env, ecsMetadataEndpoint: sim.url },
      { files: systemAccessDeps({}), fetch, clock: systemClock },
    );
    await expect(source()).rejects.toThrow('ALIBABA_CLOUD_ECS_METADATA_DISABLED is set');
    expect(sim.journal.countByAction()).toEqual({});
  });

  test('an answer without a session says so, and never what it was', async () => {
    sim = await startSimAlibaba();
    const answers = ['a-token', '{"Code":"Success","AccessKeyId":"AK","AccessKeySecret":"s3cr3t"}'];
    const fake = (async () => new Response(answers.shift())) as typeof fetch;
    const provider = createEcsRole(
      { endpoint: sim.url, onlyV2: true, role: 'eip' },
      { fetch: fake, clock: systemClock },
    );
    const error = await provider.getCredentials().catch((caught: unknown) => caught);
    expect(String(error)).toBe('Error: the metadata service has no session of role eip');
  });
});
