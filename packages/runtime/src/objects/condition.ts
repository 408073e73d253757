/** metav1.Condition. */
export type Condition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly observedGeneration?: number | undefined;
  /** RFC 3339, whole seconds: when `status` last changed. */
  readonly lastTransitionTime: string;
  /** CamelCase, for programs. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
};

export type NextCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export type ConditionContext = {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The generation of the object that was looked at. */
  readonly observedGeneration?: number | undefined;
};

/**
 * The conditions with one of them set. The time of transition moves only when the status does, and where nothing
 * changes the very same array comes back, so that whoever compares by identity writes nothing.
 */
export function setCondition<C extends Condition = Condition>(
  conditions: readonly C[] | undefined,
  next: NextCondition,
  { now, observedGeneration }: ConditionContext,
): readonly C[] {
  const current = getCondition(conditions, next.type);
  const sameStatus = current?.status === next.status;
  if (
    conditions &&
    current &&
    sameStatus &&
    current.reason === next.reason &&
    current.message === next.message &&
    current.observedGeneration === observedGeneration
  ) {
    return conditions;
  }
  const made = {
    type: next.type,
    status: next.status,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: sameStatus ? current.lastTransitionTime : toTimestamp(now),
    reason: next.reason,
    message: next.message,
  } as C;
  // A condition keeps its place, a new one goes to the end: the order never depends on who was first this time.
  if (!current) return [...(conditions ?? []), made];
  return (conditions ?? []).map((condition) => (condition === current ? made : condition));
}

export function getCondition<C extends Condition>(conditions: readonly C[] | undefined, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True only when the condition is there and True; Unknown is not. */
export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return getCondition(conditions, type)?.status === 'True';
}

/** As metav1.Time writes it. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
