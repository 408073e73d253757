import { isNotFound, OperatorError } from '@tributary/runtime';
import type { Kind, KubeObject } from '@tributary/runtime';
import { claimOf } from '../contract/claim.ts';
import { podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import type { Sides } from '../sides.ts';

// The only two ways in which the syncer deletes pods, and their copies: whoever wants something gone comes by here.

export type DeleteOptions = {
  readonly graceSeconds?: number | undefined;
  /** Only if nobody wrote it since it was read: another binding may have begun to use it. */
  readonly unchanged?: boolean;
  readonly signal?: AbortSignal;
};

export type GuardedWrites = {
  /** Deletes an object of P, this very one, and only if it carries our mark and no other. */
  readonly deletePhysical: <T extends KubeObject>(kind: Kind<T>, object: T, options?: DeleteOptions) => Promise<void>;
  /** Takes a pod out of V whose work in P is over, as its kubelet would. */
  readonly removeVirtual: (pod: Pod, signal?: AbortSignal) => Promise<void>;
};

const notReadyRetryMs = 5000;

type Needs = Pick<Sides, 'virtual' | 'physical' | 'identity' | 'ready'>;

export function createGuardedWrites(sides: Needs): GuardedWrites {
  const mustBeReady = (what: string): void => {
    if (sides.ready()) return;
    const message = `${what} is not deleted: a cache is not complete, or one of the clusters does not answer`;
    throw new OperatorError('syncer/not-ready', message, { kind: 'after', ms: notReadyRetryMs });
  };
  return {
    deletePhysical: async (kind, object, { graceSeconds, unchanged, signal } = {}) => {
      const { namespace, name = '', uid, resourceVersion } = object.metadata;
      const what = `${kind.kind} ${name} of the physical cluster`;
      const claim = claimOf(object, sides.identity);
      if (claim.of !== 'us' || claim.shared) {
        throw new OperatorError('syncer/not-ours', `${what} is not ours to delete`, { kind: 'never' });
      }
      mustBeReady(what);
      const preconditions = { uid, ...(unchanged && { resourceVersion }) };
      await unlessGone(
        sides.physical.client.delete(
          kind,
          { namespace, name },
          {
            preconditions,
            ...(graceSeconds !== undefined && { gracePeriodSeconds: graceSeconds }),
            ...(signal && { signal }),
          },
        ),
      );
    },
    removeVirtual: async ({ metadata }, signal) => {
      const { namespace, name = '', uid } = metadata;
      mustBeReady(`Pod ${name} of the virtual cluster`);
      const options = { gracePeriodSeconds: 0, preconditions: { uid }, ...(signal && { signal }) };
      await unlessGone(sides.virtual.client.delete(podKind, { namespace, name }, options));
    },
  };
}

async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
