import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { OperatorFlags } from '@tributary/runtime';

export function toPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('a port is a whole number from 0 to 65535');
  }
  return port;
}

export function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) throw new InvalidArgumentError('a whole number, 0 or more');
  return count;
}

export function toPercent(text: string): number {
  const percent = toCount(text);
  if (percent > 100) throw new InvalidArgumentError('a whole number from 0 to 100');
  return percent;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `1m30s`, `1h`, `0`: as Go writes a duration. In milliseconds. */
export function toMs(text: string): number {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
    throw new InvalidArgumentError('a duration such as 500ms, 90s, 5m or 1h');
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0);
}

/** A flag that takes a duration. Help shows its default as a person would write it. */
export function durationOption(flag: string, about: string, standard: string): Option {
  return new Option(`${flag} <duration>`, about).argParser(toMs).default(toMs(standard), standard);
}

/** A flag of Go: alone it means yes, and `=false` says no. */
export function toBool(text: string): boolean {
  if (/^(1|t|true)$/i.test(text)) return true;
  if (/^(0|f|false)$/i.test(text)) return false;
  throw new InvalidArgumentError('true or false');
}

export function toList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The flags that every operator has. */
export function addOperatorFlags(command: Command, defaults: OperatorFlags): Command {
  return command
    .option('--kubeconfig <path>', 'the cluster; as kubectl finds it when absent')
    .option('--leader-elect [bool]', 'work only while holding the lease', toBool, defaults.leaderElect)
    .option('--metrics-bind-address <address>', 'where /metrics answers; 0 for nowhere', defaults.metricsBindAddress)
    .option(
      '--health-probe-bind-address <address>',
      'where /healthz and /readyz answer',
      defaults.healthProbeBindAddress,
    )
    .addOption(
      new Option('--log-level <level>', 'how much is told').choices(['debug', 'info', 'warn', 'error']).default('info'),
    );
}
