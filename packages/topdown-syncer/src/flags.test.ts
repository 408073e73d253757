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
      '--csi-secret-namespaces=storage, csi,',
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
      says: '--virtual-client-qps is a number, 0 or more, not x',
    },
    {
      name: 'a negative number',
      argv: ['--cluster-binding-name=a', '--scheduling-timeout-seconds=-5'],
      says: '--scheduling-timeout-seconds is a number, 0 or more, not -5',
    },
    {
      name: 'a zone that is none',
      argv: ['--cluster-binding-name=a', '--time-zone=Mars/Phobos'],
      says: '--time-zone is a zone as in Europe/Berlin, not Mars/Phobos',
    },
    {
      name: 'a flag that only cleanup has',
      argv: ['--cluster-binding-name=a', '--yes'],
      says: '--yes is a flag of cleanup alone',
    },
    {
      name: 'a bad choice',
      argv: ['--cluster-binding-name=a', '--redirection=maybe'],
      says: '--redirection is one of auto, required, off, not maybe',
    },
  ];
  test('of cleanup is no other than its own', () => {
    const argv = ['--cluster-binding-name=a', '--cluster-id=cls-a', '--yes', '--kubeconfig=k'];
    expect([...readFlags(argv, 'cleanup').keys()]).toEqual(['cluster-binding-name', 'cluster-id', 'yes', 'kubeconfig']);
    expect(() => readFlags(['--leader-elect'], 'cleanup')).toThrow('--leader-elect is no flag of cleanup');
  });

  const levels = [
    { given: 'warn', level: 'warn' },
    { given: '2', level: 'debug' },
    { given: 'panic', level: 'error' },
  ];
  for (const { given, level } of levels) {
    test(`--zap-log-level=${given} is ${level}`, () =>
      expect(flagsOf('--cluster-binding-name=a', `--zap-log-level=${given}`).logLevel).toBe(level));
  }

  for (const { name, argv, says } of wrong) {
    test(`${name} is refused in words`, () => expect(() => flagsOf(...argv)).toThrow(says));
  }
});
