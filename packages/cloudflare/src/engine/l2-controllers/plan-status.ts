import { getCondition, mergePatchBetween, setCondition } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import type { Notice } from './contributor.ts';
import type { Ready } from './view.ts';
import type { Step } from './step.ts';

export type StatusWish = {
  readonly object: KubeObject;
  /** The kind's own fields. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What must be there in any case, unless it is there already. */
  readonly required?: Readonly<Record<string, unknown>> | undefined;
  /** Nothing for kinds without conditions. */
  readonly ready: Ready | undefined;
  readonly now: number;
};

/** The write that gives the object this status, and what is told about it; nothing when it has it. */
export function planStatus({ object, fields, required, ready, now }: StatusWish): readonly Step[] {
  const current = statusOf(object);
  const next = {
    ...required,
    ...pickFrom(current, Object.keys(required ?? {})),
    ...fields,
    ...(ready && conditionFields(object, ready, now)),
  };
  const before = Object.fromEntries(Object.keys(next).map((name) => [name, current[name]]));
  const patch = mergePatchBetween(before, next);
  if (!patch) return [];
  const write: Step = { do: 'write-status', patch };
  return ready && isNews(current, ready) ? [write, { do: 'tell', note: toNote(ready) }] : [write];
}

function pickFrom(
  from: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));
}

function statusOf(object: KubeObject): Readonly<Record<string, unknown>> {
  return (object as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
}

function conditionFields(object: KubeObject, ready: Ready, now: number): object {
  const { generation } = object.metadata;
  const conditions = statusOf(object)['conditions'] as readonly Condition[] | undefined;
  return {
    conditions: setCondition(conditions, { type: 'Ready', ...ready }, { now, observedGeneration: generation }),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}

function isNews(current: Readonly<Record<string, unknown>>, ready: Ready): boolean {
  const before = getCondition(current['conditions'] as readonly Condition[] | undefined, 'Ready');
  return before?.status !== ready.status || before.reason !== ready.reason || before.message !== ready.message;
}

function toNote({ status, reason, message }: Ready): Notice {
  return { type: status === 'True' ? 'Normal' : 'Warning', reason, message };
}
