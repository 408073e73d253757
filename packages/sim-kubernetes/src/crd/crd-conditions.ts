import type { CrdCondition } from './crd-object.ts';

/** The conditions with one of them changed; its time moves only when its status does. */
export function setCondition(
  conditions: readonly CrdCondition[],
  next: CrdCondition,
  now: string,
): readonly CrdCondition[] {
  const before = conditions.find(({ type }) => type === next.type);
  const lastTransitionTime = before?.status === next.status ? (before.lastTransitionTime ?? now) : now;
  const written: CrdCondition = { ...next, lastTransitionTime };
  if (!before) return [...conditions, written];
  return conditions.map((condition) => (condition === before ? written : condition));
}
