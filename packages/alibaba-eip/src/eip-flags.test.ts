import { describe, expect, test } from 'vitest';
import { parseEipConfig } from './eip-config.ts';
import { eipUsage, parseEipFlags } from './eip-flags.ts';

describe('flags', () => {
  test('are the original’s, with its defaults', () => {
    expect(parseEipFlags([])).toEqual({
      metricsBindAddress: ':8080',
      healthProbeBindAddress: ':8081',
      leaderElect: false,
      configPath: '/etc/config/ctrl-config.yaml',
      credentialPath: '/etc/credential/ctrl-secret.yaml',
      credentialMode: 'auto',
      kubeconfig: undefined,
      namespace: undefined,
      syncPeriodMs: 300_000,
      maxConcurrentReconciles: 8,
      writeSpecAllocationID: true,
      regionId: undefined,
      endpoint: undefined,
      network: 'public',
      stsEndpoint: undefined,
      ecsMetadataEndpoint: undefined,
      clusterId: undefined,
      logLevel: 'info',
    });
  });

  test('are taken as Go takes them: one dash or two, a value after = or a space, a boolean alone', () => {
    const flags = parseEipFlags([
      '-leader-elect',
      '--config',
      '/c.yaml',
      '-sync-period=1m30s',
      '--write-spec-allocation-id=false',
    ]);
    expect(flags).toMatchObject({
      leaderElect: true,
      configPath: '/c.yaml',
      syncPeriodMs: 90_000,
      writeSpecAllocationID: false,
    });
  });

  test.each([
    ['--sync-period=5', '--sync-period takes a duration'],
    ['--sync-period=0s', '--sync-period takes a duration'],
    ['--max-concurrent-reconciles=0', '--max-concurrent-reconciles takes a whole number above 0'],
    ['--leader-elect=maybe', '--leader-elect takes one of true, false'],
    ['--credential-mode=guess', '--credential-mode takes one of auto, file, env, oidc, ecs-role, uri'],
    ['--unknown', "'--unknown'"],
  ])('%s is refused by name', (flag, message) => {
    expect(() => parseEipFlags([flag])).toThrow(
      expect.objectContaining({ code: 'eip/bad-flag', message: expect.stringContaining(message) }),
    );
  });

  test('are all in the usage', () => expect(eipUsage.split('\n').length).toBe(18));
});

describe('the config file', () => {
  test('is read leniently', () => {
    const text =
      'regionID: cn-beijing\nvpcID: x\ncontrollers: [eip]\nkubeClientQPS: 20\nunknown: 1\ncallsPerMinute: {AllocateEipAddress: 600, Other: 3}\n';
    expect(parseEipConfig(text, 'f', {})).toEqual({
      regionId: 'cn-beijing',
      kubeClientQps: 20,
      kubeClientBurst: 100,
      callsPerMinute: { AllocateEipAddress: 600 },
    });
  });

  test('may be without a region when a flag names one', () => {
    expect(parseEipConfig('', 'f', { regionId: 'cn-x' })).toEqual({
      regionId: 'cn-x',
      kubeClientQps: 50,
      kubeClientBurst: 100,
      callsPerMinute: {},
    });
    expect(() => parseEipConfig('', 'f', {})).toThrow('f has no regionID');
  });
});
