import { parseArgs } from 'node:util';
import { OperatorError } from '@tributary/runtime';
import { credentialModes } from './credentials/create-credentials.ts';
import type { CredentialMode } from './credentials/create-credentials.ts';

export type EipFlags = {
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly leaderElect: boolean;
  readonly configPath: string;
  readonly credentialPath: string;
  readonly credentialMode: CredentialMode;
  readonly kubeconfig: string | undefined;
  readonly namespace: string | undefined;
  readonly syncPeriodMs: number;
  readonly maxConcurrentReconciles: number;
  readonly writeSpecAllocationID: boolean;
  readonly regionId: string | undefined;
  readonly endpoint: string | undefined;
  readonly network: 'public' | 'vpc';
  readonly stsEndpoint: string | undefined;
  readonly ecsMetadataEndpoint: string | undefined;
  readonly clusterId: string | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
};

type FlagText = { readonly flag: string; readonly value: string; readonly fallback: string; readonly about: string };

/** The original's flags first, with its defaults; then ours. */
const flagTexts: readonly FlagText[] = [
  { flag: 'metrics-bind-address', value: 'ADDRESS', fallback: ':8080', about: 'where /metrics answers; 0 for nowhere' },
  {
    flag: 'health-probe-bind-address',
    value: 'ADDRESS',
    fallback: ':8081',
    about: 'where /healthz and /readyz answer',
  },
  { flag: 'leader-elect', value: 'BOOL', fallback: 'false', about: 'run only while holding the lease' },
  { flag: 'config', value: 'PATH', fallback: '/etc/config/ctrl-config.yaml', about: 'YAML with regionID' },
  {
    flag: 'credential',
    value: 'PATH',
    fallback: '/etc/credential/ctrl-secret.yaml',
    about: 'YAML with accessKeyID and accessKeySecret',
  },
  { flag: 'credential-mode', value: 'MODE', fallback: 'auto', about: `one of ${credentialModes.join(', ')}` },
  { flag: 'kubeconfig', value: 'PATH', fallback: '', about: 'the cluster; as kubectl finds it when absent' },
  { flag: 'namespace', value: 'NAME', fallback: '', about: 'where the lease lives; that of the pod when absent' },
  { flag: 'sync-period', value: 'DURATION', fallback: '5m', about: 'how often every address is looked at' },
  { flag: 'max-concurrent-reconciles', value: 'N', fallback: '8', about: 'objects at once' },
  {
    flag: 'write-spec-allocation-id',
    value: 'BOOL',
    fallback: 'true',
    about: 'write the id of a new address into the spec too',
  },
  { flag: 'region', value: 'ID', fallback: '', about: 'instead of regionID of the config file' },
  { flag: 'endpoint', value: 'HOST|URL', fallback: '', about: 'of the VPC API, instead of the region’s' },
  { flag: 'network', value: 'public|vpc', fallback: 'public', about: 'which of the region’s endpoints' },
  { flag: 'sts-endpoint', value: 'HOST', fallback: '', about: 'of the token service, for RRSA' },
  {
    flag: 'ecs-metadata-endpoint',
    value: 'URL',
    fallback: '',
    about: 'of the machine’s metadata, instead of the usual one, for the role of the ECS',
  },
  { flag: 'cluster-id', value: 'ID', fallback: '', about: 'marks our addresses; the uid of kube-system when absent' },
  { flag: 'log-level', value: 'LEVEL', fallback: 'info', about: 'debug, info, warn or error' },
];

export const eipUsage = flagTexts
  .map(({ flag, value, fallback, about }) => `  --${flag}=${value}`.padEnd(38) + about + (fallback && ` (${fallback})`))
  .join('\n');

/** `--flag=value`, `--flag value`, and for booleans `--flag`, as Go's flag package takes them, with one dash or two. */
export function parseEipFlags(argv: readonly string[]): EipFlags {
  const given = readFlags(argv);
  const text = (flag: string): string => given[flag] ?? flagTexts.find((one) => one.flag === flag)?.fallback ?? '';
  const choice = <T extends string>(flag: string, values: readonly T[]): T =>
    values.find((value) => value === text(flag)) ?? refuse(flag, `one of ${values.join(', ')}`);
  return {
    metricsBindAddress: text('metrics-bind-address'),
    healthProbeBindAddress: text('health-probe-bind-address'),
    leaderElect: choice('leader-elect', ['true', 'false']) === 'true',
    configPath: text('config'),
    credentialPath: text('credential'),
    credentialMode: choice('credential-mode', credentialModes),
    kubeconfig: text('kubeconfig') || undefined,
    namespace: text('namespace') || undefined,
    syncPeriodMs: toMs('sync-period', text('sync-period')),
    maxConcurrentReconciles: toCount('max-concurrent-reconciles', text('max-concurrent-reconciles')),
    writeSpecAllocationID: choice('write-spec-allocation-id', ['true', 'false']) === 'true',
    regionId: text('region') || undefined,
    endpoint: text('endpoint') || undefined,
    network: choice('network', ['public', 'vpc']),
    stsEndpoint: text('sts-endpoint') || undefined,
    ecsMetadataEndpoint: text('ecs-metadata-endpoint') || undefined,
    clusterId: text('cluster-id') || undefined,
    logLevel: choice('log-level', ['debug', 'info', 'warn', 'error']),
  };
}

const booleans: ReadonlySet<string> = new Set(['leader-elect', 'write-spec-allocation-id']);

function readFlags(argv: readonly string[]): Readonly<Record<string, string | undefined>> {
  const args = argv
    .map((arg) => arg.replace(/^-(?=[a-z][a-z-]+)/, '--'))
    .map((arg) => (booleans.has(arg.slice(2)) ? `${arg}=true` : arg));
  const options = Object.fromEntries(flagTexts.map(({ flag }) => [flag, { type: 'string' as const }]));
  try {
    return parseArgs({ args, options, allowPositionals: false }).values;
  } catch (error) {
    throw badFlag(`${error instanceof Error ? error.message : 'bad flags'}\n${eipUsage}`);
  }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function toMs(flag: string, text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const ms = parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0);
  const isWhole = parts.map(([part]) => part).join('') === text;
  return isWhole && ms > 0 ? ms : refuse(flag, 'a duration such as 5m or 90s');
}

function toCount(flag: string, text: string): number {
  const count = Number(text);
  return Number.isInteger(count) && count > 0 ? count : refuse(flag, 'a whole number above 0');
}

function refuse(flag: string, wanted: string): never {
  throw badFlag(`--${flag} takes ${wanted}`);
}

function badFlag(message: string): OperatorError {
  return new OperatorError('eip/bad-flag', message, { kind: 'never' });
}
