import { isFinished } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import { findCondition } from './pod-conditions.ts';
import { statusPatch } from './status-patch.ts';
import { toLostStatus, toVirtualStatus } from './virtual-status.ts';

type Fields = Readonly<Record<string, unknown>>;

export type StatusStep =
  | { readonly do: 'nothing' }
  /** The physical pod of a pod that was started is not there. */
  | { readonly do: 'confirm-loss' }
  /** `recordUid`: the UID of the physical pod goes along. `urgent`: somebody waits for this; anything else can wait for company. */
  | { readonly do: 'write'; readonly patch: Fields; readonly recordUid: string | undefined; readonly urgent: boolean };

export type StatusInputs = {
  readonly virtual: Pod;
  /** The physical pod that stands for it, or how it was last seen, if it had come to its end by then. */
  readonly physical: Pod | undefined;
  /** Which physical pod was started for it, as far as the virtual pod says. */
  readonly recordedUid: string | undefined;
  readonly now: string;
};

const nothing: StatusStep = { do: 'nothing' };

/** What the virtual pod must be told. */
export function planStatus({ virtual, physical, recordedUid, now }: StatusInputs): StatusStep {
  // However it ended, it has ended: a physical pod that is cleaned up, or runs once more, changes nothing.
  if (isFinished(virtual)) return nothing;
  const leaving = virtual.metadata.deletionTimestamp !== undefined;
  if (!physical) return recordedUid !== undefined && !leaving ? { do: 'confirm-loss' } : nothing;
  // Another run of the same pod is not the one whose end its owner waits for.
  if (recordedUid !== undefined && recordedUid !== physical.metadata.uid) return nothing;
  // On its way out nobody looks at more than how it ends.
  if (leaving && !isFinished(physical)) return nothing;
  const recordUid = recordedUid === undefined ? physical.metadata.uid : undefined;
  const patch = statusPatch(virtual.status ?? {}, toVirtualStatus(virtual, physical, now));
  if (!patch && recordUid === undefined) return nothing;
  return { do: 'write', patch: patch ?? {}, recordUid, urgent: patch !== undefined && isUrgent(virtual, patch) };
}

export function lossPatch(virtual: Pod, now: string): Fields {
  return statusPatch(virtual.status ?? {}, toLostStatus(virtual, now)) ?? {};
}

/** A phase, an address or readiness is what others act on. That containers are being created is not. */
function isUrgent({ status }: Pod, patch: Fields): boolean {
  if ('phase' in patch || 'podIP' in patch) return true;
  const changed = (patch['conditions'] ?? []) as readonly { readonly type: string; readonly status?: string }[];
  const ready = findCondition(changed, 'Ready');
  const before = findCondition(status?.conditions ?? [], 'Ready');
  return ready !== undefined && ready.status !== (before?.status ?? 'False');
}
