// Conditions of a virtual pod: what the physical kubelet says, without a word lost that others in the virtual cluster said.
import type { PodCondition } from '../contract/pod.ts';

export type ConditionInputs = {
  readonly virtual: readonly PodCondition[];
  readonly physical: readonly PodCondition[];
  /** Types of the pod's readiness gates: they are opened in the virtual cluster. */
  readonly gates: readonly string[];
  /** The physical pod is on its way out while the virtual one is not. */
  readonly leaving: boolean;
  /** What generation of the virtual pod the physical statuses speak of, where they speak of the newest physical one. */
  readonly generation: { readonly virtual: number | undefined; readonly physical: number | undefined };
  /** RFC 3339, for transitions that are made here. */
  readonly now: string;
};

/** Set by the kubelet alone: when it takes one back, it goes here too. Any other type that only the virtual pod has stays. */
const ofKubelet = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
  'Ready',
  'PodResizePending',
  'PodResizeInProgress',
  'AllContainersRestarting',
]);

/** The virtual scheduler's word; what the physical one says becomes a reason for not being ready. */
const scheduled = 'PodScheduled';

/** In the order of the virtual pod, new ones behind. */
export function mergeConditions(inputs: ConditionInputs): readonly PodCondition[] {
  const wanted = new Map(toWanted(inputs).map((condition) => [condition.type, condition]));
  const kept = inputs.virtual.flatMap((condition) => {
    const next = wanted.get(condition.type);
    wanted.delete(condition.type);
    if (next) return [next];
    return ofKubelet.has(condition.type) ? [] : [condition];
  });
  return [...kept, ...wanted.values()];
}

export function findCondition<C extends { readonly type: string }>(
  conditions: readonly C[],
  type: string,
): C | undefined {
  return conditions.find((condition) => condition.type === type);
}

function toWanted(inputs: ConditionInputs): readonly PodCondition[] {
  const { virtual, physical } = inputs;
  const copied = physical
    .filter(({ type }) => type !== scheduled)
    // A gate is opened where the virtual pod's owner can see it; an old copy from below must not shut it.
    .filter(({ type }) => !inputs.gates.includes(type) || !findCondition(virtual, type))
    .map((condition) => toVirtual(condition, inputs));
  const before = findCondition(virtual, scheduled);
  const theirs = findCondition(physical, scheduled);
  const first = before ?? (theirs && toVirtual(theirs, inputs));
  return [...(first ? [first] : []), ...withVerdict(copied, inputs)];
}

function toVirtual(condition: PodCondition, { generation }: ConditionInputs): PodCondition {
  const { observedGeneration, ...rest } = condition;
  const current = observedGeneration !== undefined && observedGeneration === generation.physical;
  const told = current && generation.virtual !== undefined && { observedGeneration: generation.virtual };
  return { ...(rest as PodCondition), ...told };
}

/** `Ready` as the virtual cluster must see it. */
function withVerdict(conditions: readonly PodCondition[], inputs: ConditionInputs): readonly PodCondition[] {
  const unplaced = findCondition(inputs.physical, scheduled);
  if (unplaced?.status === 'False') {
    const reason = `Physical${unplaced.reason ?? 'Unschedulable'}`;
    const held = { status: 'False', reason, message: unplaced.message ?? 'the physical pod has no node yet' };
    const others = conditions.filter(({ type }) => type !== 'Ready' && type !== 'ContainersReady');
    return [...others, ...['Ready', 'ContainersReady'].map((type) => dated({ type, ...held }, inputs))];
  }
  const ready = findCondition(conditions, 'Ready');
  if (!ready) return conditions;
  const verdict = judgeReady(ready, conditions, inputs);
  return verdict === ready ? conditions : conditions.map((one) => (one === ready ? dated(verdict, inputs) : one));
}

function judgeReady(ready: PodCondition, conditions: readonly PodCondition[], inputs: ConditionInputs): PodCondition {
  if (inputs.leaving && ready.status === 'True') {
    const message = 'the physical pod is being deleted';
    return { type: 'Ready', status: 'False', reason: 'PhysicalPodTerminating', message };
  }
  if (inputs.gates.length === 0 || findCondition(conditions, 'ContainersReady')?.status !== 'True') return ready;
  const shut = inputs.gates.filter((gate) => findCondition(inputs.virtual, gate)?.status !== 'True');
  if (shut.length === 0) return ready.status === 'True' || inputs.leaving ? ready : { type: 'Ready', status: 'True' };
  const message = shut.map((gate) => `corresponding condition of pod readiness gate "${gate}" is not True.`).join(', ');
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message };
}

/** A transition made here keeps its time for as long as the status stays. */
function dated(condition: PodCondition, { virtual, now }: ConditionInputs): PodCondition {
  const before = findCondition(virtual, condition.type);
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  return { ...condition, lastTransitionTime };
}
