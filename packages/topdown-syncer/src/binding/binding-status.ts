import { setCondition, toTimestamp } from '@tributary/runtime';
import type { NextCondition } from '@tributary/runtime';
import type { ClusterBinding } from '../contract/cluster-binding.ts';

type Status = NonNullable<ClusterBinding['status']>;

/** What is wrong with a binding, one sentence each. */
export function bindingProblems({ spec }: ClusterBinding): readonly string[] {
  return [
    ...(spec.mountNamespace ? [] : ['spec.mountNamespace is empty']),
    ...(spec.secretRef.name ? [] : ['spec.secretRef.name is empty']),
    ...(spec.secretRef.namespace ? [] : ['spec.secretRef.namespace is empty']),
    ...((spec.serviceNamespaces ?? []).includes('') ? ['spec.serviceNamespaces has an empty entry'] : []),
  ];
}

/** The status that the original's manager would write; the very same where nothing about it changed. */
export function toBindingStatus(binding: ClusterBinding, connected: boolean, nowMs: number): Status {
  const before: Status = binding.status ?? {};
  const problems = bindingProblems(binding);
  const context = { now: nowMs, observedGeneration: binding.metadata.generation };
  const conditions = [connection(connected), syncer(), readiness(problems, connected)].reduce(
    (known: Status['conditions'], next) => [...setCondition(known, next, context)],
    before.conditions,
  );
  const phase = problems.length === 0 && connected ? 'Ready' : 'Failed';
  const same = before.phase === phase && JSON.stringify(conditions) === JSON.stringify(before.conditions);
  return same ? before : { phase, conditions, lastSyncTime: toTimestamp(nowMs) };
}

function connection(connected: boolean): NextCondition {
  return connected
    ? { type: 'Connected', status: 'True', reason: 'ConnectivityPassed', message: 'the physical cluster answers' }
    : {
        type: 'Connected',
        status: 'False',
        reason: 'ConnectivityFailed',
        message: 'the physical cluster does not answer',
      };
}

function syncer(): NextCondition {
  return { type: 'SyncerReady', status: 'True', reason: 'SyncerCreated', message: 'a syncer serves the binding' };
}

function readiness(problems: readonly string[], connected: boolean): NextCondition {
  if (problems.length > 0) {
    return { type: 'Ready', status: 'False', reason: 'ValidationFailed', message: problems.join('; ') };
  }
  return connected
    ? { type: 'Ready', status: 'True', reason: 'ValidationPassed', message: 'the binding is served' }
    : { ...connection(false), type: 'Ready' };
}
