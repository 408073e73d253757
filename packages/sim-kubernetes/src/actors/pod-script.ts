import type { StoredObject } from '../registry/json.ts';

/** What the containers of a pod do once they were started. */
export type PodOutcome = 'run' | 'succeed' | 'fail' | 'unready' | 'pull-error';

export type PodScript = {
  readonly outcome: PodOutcome;
  /** How long containers run before they end; ignored when they do not. */
  readonly afterMs: number;
};

/** Annotations by which the author of a pod tells the scripted kubelet what shall become of it. */
export const outcomeAnnotation = 'sim-kubernetes.tributary.io/outcome';
export const afterAnnotation = 'sim-kubernetes.tributary.io/after-ms';

const outcomes = new Set<string>(['run', 'succeed', 'fail', 'unready', 'pull-error']);

/** Without a word about it a pod runs for ever. */
export function scriptOf(pod: StoredObject): PodScript {
  const annotations = pod.metadata.annotations ?? {};
  const outcome = annotations[outcomeAnnotation] ?? 'run';
  const afterMs = Number(annotations[afterAnnotation] ?? '1000');
  return {
    outcome: outcomes.has(outcome) ? (outcome as PodOutcome) : 'run',
    afterMs: Number.isFinite(afterMs) && afterMs >= 0 ? afterMs : 1000,
  };
}
