import { OperatorError } from '@tributary/runtime';
import { booleanFlags, cleanupFlags, ownCleanupFlags, valueFlags } from './flag-definitions.ts';
import type { SyncerOptions } from './syncer-options.ts';
import { isTimeZone } from './vnode/time-windows.ts';

/** What the syncer can be told on its command line: the flags of the original, then ours. */
export type SyncerFlags = {
  readonly syncer: SyncerOptions;
  readonly kubeconfig: string | undefined;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly leaderElect: boolean;
  readonly leaderElectionId: string;
  readonly leaderElectionNamespace: string | undefined;
  readonly virtualClient: ClientLimits;
  readonly physicalClient: ClientLimits;
  readonly logLevel: LogLevel;
};

/** 0 for no limit. */
export type ClientLimits = { readonly qps: number; readonly burst: number };

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
type LogLevel = (typeof logLevels)[number];

export type RawFlags = ReadonlyMap<string, string>;

/** What the flags are for: to run, or to clean up. */
export type Command = 'run' | 'cleanup';

/** As Go's flag package reads them: one dash or two, a value after `=` or as the next word, a boolean alone. */
export function readFlags(argv: readonly string[], command: Command = 'run'): RawFlags {
  const found = readAll(argv);
  for (const name of found.keys()) {
    if (command === 'cleanup' && !cleanupFlags.has(name)) throw badFlag(`--${name} is no flag of cleanup`);
    if (command === 'run' && ownCleanupFlags.has(name)) throw badFlag(`--${name} is a flag of cleanup alone`);
  }
  return found;
}

function readAll(argv: readonly string[]): RawFlags {
  const found = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const [, name = '', value] = /^--?([a-z][a-z0-9-]*)(?:=(.*))?$/su.exec(word) ?? [];
    if (booleanFlags.has(name)) found.set(name, value ?? 'true');
    else if (!valueFlags.has(name)) throw badFlag(`${word} is no flag of the syncer; --help lists them`);
    else if (value !== undefined) found.set(name, value);
    else if (at + 1 < argv.length) found.set(name, argv[(at += 1)] ?? '');
    else throw badFlag(`--${name} needs a value`);
  }
  return found;
}

export function toSyncerFlags(raw: RawFlags): SyncerFlags {
  const clusterBindingName = raw.get('cluster-binding-name') ?? '';
  if (clusterBindingName === '') throw badFlag('--cluster-binding-name is required');
  const limits = (side: string): ClientLimits => {
    const qps = toNumber(raw, `${side}-client-qps`, 0);
    return { qps, burst: toNumber(raw, `${side}-client-burst`, qps) };
  };
  return {
    syncer: toOptions(raw, clusterBindingName),
    kubeconfig: raw.get('kubeconfig'),
    metricsBindAddress: raw.get('metrics-bind-address') ?? ':8080',
    healthProbeBindAddress: raw.get('health-probe-bind-address') ?? ':8081',
    leaderElect: isOn(raw, 'leader-elect', true),
    leaderElectionId: raw.get('leader-election-id') ?? `kubeocean-syncer-${clusterBindingName}`,
    leaderElectionNamespace: raw.get('leader-election-namespace'),
    virtualClient: limits('virtual'),
    physicalClient: limits('physical'),
    logLevel: toLogLevel(raw),
  };
}

function toOptions(raw: RawFlags, clusterBindingName: string): SyncerOptions {
  const text = <K extends string>(flag: string, field: K): Partial<Record<K, string>> => {
    const value = raw.get(flag);
    return (value === undefined ? {} : { [field]: value }) as Partial<Record<K, string>>;
  };
  const namespaces = raw.get('csi-secret-namespaces');
  return {
    clusterBindingName,
    ...text('name-salt', 'nameSalt'),
    ...text('cluster-domain', 'clusterDomain'),
    ...toTimeZone(raw),
    ...text('node-address', 'nodeAddress'),
    ...(namespaces && { csiSecretNamespaces: toNames(namespaces) }),
    redirection: oneOf(raw, 'redirection', ['auto', 'required', 'off'] as const, 'auto'),
    allEvents: isOn(raw, 'all-events', false),
    serviceVariables: isOn(raw, 'service-variables', true),
    collectUnused: isOn(raw, 'collect-unused', false),
    manageBindingStatus: isOn(raw, 'manage-binding-status', false),
    prometheusPort: toNumber(raw, 'prometheus-vnode-base-port', 9006),
    schedulingTimeoutMs: toNumber(raw, 'scheduling-timeout-seconds', 300) * 1000,
  };
}

function toNames(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function toTimeZone(raw: RawFlags): { readonly timeZone?: string } {
  const timeZone = raw.get('time-zone');
  if (timeZone === undefined) return {};
  if (!isTimeZone(timeZone)) throw badFlag(`--time-zone is a zone as in Europe/Berlin, not ${timeZone}`);
  return { timeZone };
}

/** The original also takes numbers, which stand for ever more of the finest level, and a level above error. */
function toLogLevel(raw: RawFlags): LogLevel {
  const level = raw.get('zap-log-level') ?? '';
  if (/^[1-9]\d*$/.test(level)) return 'debug';
  return level === 'panic' ? 'error' : oneOf(raw, 'zap-log-level', logLevels, 'info');
}

function isOn(raw: RawFlags, flag: string, otherwise: boolean): boolean {
  const value = raw.get(flag);
  if (value === undefined) return otherwise;
  if (['true', '1', 't', 'T', 'TRUE', 'True'].includes(value)) return true;
  if (['false', '0', 'f', 'F', 'FALSE', 'False'].includes(value)) return false;
  throw badFlag(`--${flag} is true or false, not ${value}`);
}

function toNumber(raw: RawFlags, flag: string, otherwise: number): number {
  const value = raw.get(flag);
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0)
    throw badFlag(`--${flag} is a number, 0 or more, not ${value}`);
  return number;
}

function oneOf<const T extends readonly string[]>(
  raw: RawFlags,
  flag: string,
  known: T,
  otherwise: T[number],
): T[number] {
  const value = raw.get(flag);
  if (value === undefined) return otherwise;
  if (known.includes(value)) return value;
  throw badFlag(`--${flag} is one of ${known.join(', ')}, not ${value}`);
}

function badFlag(message: string): OperatorError {
  return new OperatorError('syncer/bad-flag', message, { kind: 'never' });
}
