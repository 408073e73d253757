import type { Clock, EventRecorder, KubeClient, Log } from '@tributary/runtime';
import type { EipCalls } from '../provider/eip-calls.ts';
import type { EipObserver } from '../provider/observer.ts';
import type { EipWorld } from './eip-world.ts';
import type { EipObject } from './resource.ts';

/** What a pass needs of the world. */
export type PassDeps = {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'patchStatus'>;
  readonly calls: EipCalls;
  readonly observer: Pick<EipObserver, 'look' | 'findMarked'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

/** What a pass learns as it goes; each step returns the next. */
export type EipPass = Pick<EipWorld, 'observation' | 'marked' | 'markedIsFresh' | 'releaseAccepted'> & {
  readonly object: EipObject;
};
