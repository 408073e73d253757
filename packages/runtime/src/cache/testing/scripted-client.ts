import type { CallOptions, KubeClient, KubeStatus, WriteOptions } from '../../client/kube-client.ts';
import { sleep } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import type { AnyObject, KubeObject, ObjectRef } from '../../object.ts';
import type { ScriptedApi } from './scripted-api.ts';

export type ScriptedClientOptions = {
  readonly clock: Clock;
  /** From the call to the server's deed, and from there to the answer. */
  readonly deedMs?: () => number;
  readonly answerMs?: () => number;
  /** How a deletion is answered when nothing of the object is left. */
  readonly deletionAnswer?: 'status' | 'bare status' | 'object';
  /** Called right after a write was executed. */
  readonly onDeed?: () => void;
};

/** A client that can also write to the scripted server; what it cannot do it refuses. */
export function createScriptedClient(api: ScriptedApi, options: ScriptedClientOptions): KubeClient {
  const perform = async <R>(call: CallOptions | undefined, deed: () => R): Promise<R> => {
    await sleep(options.clock, options.deedMs?.() ?? 1, call?.signal);
    const answer = deed();
    options.onDeed?.();
    await sleep(options.clock, options.answerMs?.() ?? 1, call?.signal);
    return answer;
  };
  const write = async <T extends KubeObject>(_: unknown, object: T, call?: WriteOptions): Promise<T> =>
    perform(call, () => {
      const { spec } = object as unknown as { spec?: unknown };
      const { name = `made-${api.history.revision()}`, finalizers } = object.metadata;
      if (call?.dryRun) return object;
      return api.history.write(name, { spec, ...(finalizers ? { finalizers } : {}) }) as unknown as T;
    });
  const patch = async <T extends KubeObject>(_: unknown, ref: ObjectRef, change: { body: unknown }): Promise<T> =>
    perform(undefined, () => {
      const body = change.body as { metadata?: object; noop?: boolean };
      const old = api.history.get(ref.name);
      return (body.noop && old ? old : api.history.write(ref.name, body.metadata ?? {})) as unknown as T;
    });
  const remove = async (_: unknown, ref: ObjectRef, call?: CallOptions): Promise<AnyObject | KubeStatus> =>
    perform(call, () => {
      const last = api.history.remove(ref.name);
      if (!last) throw new Error(`no ${ref.name}`);
      if (api.history.get(ref.name) || options.deletionAnswer === 'object') return last;
      if (options.deletionAnswer === 'bare status') return { status: 'Success' };
      return { status: 'Success', details: { name: ref.name, uid: last.metadata.uid ?? '' } };
    });
  return {
    ...api.client,
    create: write,
    update: write,
    updateStatus: write,
    apply: write,
    applyStatus: write,
    patch,
    patchStatus: patch,
    patchScale: async (kind, ref) => patch(kind, ref, { body: {} }),
    delete: remove as KubeClient['delete'],
    get: refuse,
    listPages: refuse,
    deleteCollection: refuse,
    getScale: refuse,
    patchSubresource: refuse,
    createSubresource: refuse,
  };
}

function refuse(): never {
  throw new Error('not in the script');
}
