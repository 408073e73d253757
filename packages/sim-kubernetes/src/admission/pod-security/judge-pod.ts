import type { JsonObject } from '../../registry/json.ts';
import { baselineChecks } from './baseline-checks.ts';
import { restrictedChecks } from './restricted-checks.ts';
import type { Judge, SecurityCheck, Violation } from './security-check.ts';
import { checkedPod } from './security-check.ts';
import type { Standard } from './security-policy.ts';

/** What a standard has against a pod; empty when it may run. */
export function judgePod(standard: Standard, metadata: JsonObject, spec: JsonObject): readonly Violation[] {
  if (standard.level === 'privileged') return [];
  const pod = checkedPod(metadata, spec);
  return judgesOf(standard).flatMap((judge) => judge(pod) ?? []);
}

export function detailOf(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}

export function reasonOf(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ');
}

function judgesOf({ level, minor }: Standard): readonly Judge[] {
  const judgeOf = ({ versions }: SecurityCheck): Judge | undefined =>
    versions.findLast(({ since }) => since <= minor)?.judge;
  const stricter = level === 'restricted' ? restrictedChecks.filter((check) => judgeOf(check) !== undefined) : [];
  const replaced = new Set(stricter.map((check) => check.replaces));
  const checks = [...baselineChecks.filter(({ id }) => !replaced.has(id)), ...stricter];
  return checks.flatMap((check) => judgeOf(check) ?? []);
}
