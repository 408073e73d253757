import { describe, expect, test } from 'vitest';
import { readFlags, toSyncerFlags } from './flags.ts';

const flagsOf = (...argv: string[]): ReturnType<typeof toSyncerFlags> => toSyncerFlags(readFlags(argv));

describe('the command line', () => {
  test('of the original is understood whole', () => {
    const flags = flagsOf(
      '--cluster-binding-name=worker1',
      '--metrics-bind-address=:9090',
      '-health-probe-bind-address',
      ':9091',
      '--leader-elect=false',
      '--leader-election-id=kubeocean-syncer-cls-1',
      '--virtual-client-qps=50',
      '--physical-client-qps=20',
      '--physical-client-burst=40',
      '--prometheus-vnode-base-port=9100',
      '--zap-log-level=debug',
      '--zap-encoder=json',
    );
    expect(flags).toMatchObject({
      syncer: { clusterBindingName: 'worker1', prometheusPort: 9100 },
      metricsBindAddress: ':9090',
      healthProbeBindAddress: ':9091',
      leaderElect: false,
      leaderElectionId: 'kubeocean-syncer-cls-1',
      virtualClient: { qps: 50, burst: 50 },
      physicalClient: { qps: 20, burst: 40 },
      logLevel: 'debug',
    });
  });

  test('has the defaults of the original, and safe ones of our own', () => {
    expect(flagsOf('--cluster-binding-name', 'worker1')).toEqual({
      syncer: {
        clusterBindingName: 'worker1',
        redirection: 'auto',
        allEvents: false,
        serviceVariables: true,
        collectUnused: false,
        manageBindingStatus: false,
        prometheusPort: 9006,
        schedulingTimeoutMs: 300_000,
      },
      kubeconfig: undefined,
      metricsBindAddress: ':8080',
      healthProbeBindAddress: ':8081',
      leaderElect: true,
      leaderElectionId: 'kubeocean-syncer-worker1',
      leaderElectionNamespace: undefined,
      virtualClient: { qps: 0, burst: 0 },
      physicalClient: { qps: 0, burst: 0 },
      logLevel: 'info',
    });
  });

  test('names what it adds', () => {
    const { syncer } = flagsOf(
      '--cluster-binding-name=a',
      '--name-salt=team-a',
      '--csi-secret-namespaces=storage, csi',
      '--redirection=off',
      '--cluster-domain=corp.local',
      '--manage-binding-status',
    );
    expect(syncer).toMatchObject({
      nameSalt: 'team-a',
      csiSecretNamespaces: ['storage', 'csi'],
      redirection: 'off',
      clusterDomain: 'corp.local',
      manageBindingStatus: true,
    });
  });

  const wrong = [
    { name: 'no binding', argv: [], says: '--cluster-binding-name is required' },
    { name: 'an unknown flag', argv: ['--no-such'], says: '--no-such is no flag of the syncer' },
    { name: 'a missing value', argv: ['--cluster-binding-name'], says: '--cluster-binding-name needs a value' },
    {
      name: 'a bad boolean',
      argv: ['--cluster-binding-name=a', '--leader-elect=maybe'],
      says: '--leader-elect is true or false, not maybe',
    },
    {
      name: 'a bad number',
      argv: ['--cluster-binding-name=a', '--virtual-client-qps=x'],
      says: '--virtual-client-qps is a number, not x',
    },
    {
      name: 'a bad choice',
      argv: ['--cluster-binding-name=a', '--redirection=maybe'],
      says: '--redirection is one of auto, required, off, not maybe',
    },
  ];
  for (const { name, argv, says } of wrong) {
    test(`${name} is refused in words`, () => expect(() => flagsOf(...argv)).toThrow(says));
  }
});
