import type { FieldError } from '../../registry/field-error.ts';
import { invalidField } from '../../schema/field-errors.ts';

// What the labels of a namespace ask of its pods.

export const levels = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof levels)[number];

/** A level as one minor version of Kubernetes understood it; Infinity is the latest. */
export type Standard = { readonly level: Level; readonly minor: number };

export type SecurityPolicy = { readonly enforce: Standard; readonly audit: Standard; readonly warn: Standard };

const anything: Standard = { level: 'privileged', minor: Infinity };
export const prefix = 'pod-security.kubernetes.io/';

type Labels = Readonly<Record<string, string>>;
type Read<T> = { readonly value: T; readonly errors: readonly FieldError[] };

/** The policy, which there is always, and what is wrong with the labels. */
export function policyOf(labels: Labels): {
  readonly policy: SecurityPolicy;
  readonly errors: readonly FieldError[];
} {
  // A level that nobody knows is taken as the strictest where it counts, and as none where it only speaks.
  const enforce = readStandard(labels, 'enforce', 'restricted');
  const audit = readStandard(labels, 'audit', 'privileged');
  const warn = readStandard(labels, 'warn', 'privileged');
  const policy = { enforce: enforce.value, audit: audit.value, warn: warn.value };
  const errors = [...enforce.errors, ...audit.errors, ...warn.errors];
  const knownLevel = levels.some((level) => level === labels[`${prefix}enforce`]);
  const silent = labels[`${prefix}warn`] === undefined && knownLevel;
  if (!silent || strictness(policy.enforce.level) <= strictness(policy.warn.level)) return { policy, errors };
  const minor = labels[`${prefix}warn-version`] === undefined ? policy.enforce.minor : policy.warn.minor;
  return { policy: { ...policy, warn: { level: policy.enforce.level, minor } }, errors };
}

export function strictness(level: Level): number {
  return levels.indexOf(level);
}

export function sameStandard(a: Standard, b: Standard): boolean {
  return a.level === b.level && a.minor === b.minor;
}

export function isPrivileged({ enforce, audit, warn }: SecurityPolicy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === 'privileged');
}

export function standardText({ level, minor }: Standard): string {
  return `${level}:${minor === Infinity ? 'latest' : `v1.${minor}`}`;
}

function readStandard(labels: Labels, mode: string, unknownLevel: Level): Read<Standard> {
  const level = readLevel(labels, `${prefix}${mode}`, unknownLevel);
  const minor = readVersion(labels, `${prefix}${mode}-version`);
  return { value: { level: level.value, minor: minor.value }, errors: [...level.errors, ...minor.errors] };
}

function readLevel(labels: Labels, label: string, unknown: Level): Read<Level> {
  const given = labels[label];
  if (given === undefined) return { value: anything.level, errors: [] };
  const known = levels.find((level) => level === given);
  if (known !== undefined) return { value: known, errors: [] };
  return { value: unknown, errors: [fault(label, given, `must be one of ${levels.join(', ')}`)] };
}

function readVersion(labels: Labels, label: string): Read<number> {
  const given = labels[label];
  if (given === undefined || given === 'latest') return { value: anything.minor, errors: [] };
  const minor = /^v1\.(\d|[1-9]\d*)$/.exec(given)?.[1];
  if (minor !== undefined) return { value: Number(minor), errors: [] };
  return { value: Infinity, errors: [fault(label, given, 'must be "latest" or "v1.x"')] };
}

function fault(label: string, value: string, detail: string): FieldError {
  return invalidField(`metadata.labels[${label}]`, value, detail);
}
