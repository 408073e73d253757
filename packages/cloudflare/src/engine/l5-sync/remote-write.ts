import type { Priority } from '@tributary/cloudflare-api';
import type { AnyChange } from './batch.ts';
import type { Presence } from './crowd.ts';
import type { Engine, Session } from './engine.ts';
import type { StatusWriter } from './status-writer.ts';
import type { Wish } from './wish.ts';

export type RemoteWriteOptions = {
  readonly presence: Presence;
  readonly status: StatusWriter;
  readonly priority: Priority;
  readonly signal: AbortSignal;
};

/** Makes one change at the provider; when that takes long, the SyncState shows that it is under way. */
export async function writeRemote(
  engine: Engine,
  { target, state }: Wish,
  session: Session,
  change: AnyChange,
  { presence, status, priority, signal }: RemoteWriteOptions,
): Promise<unknown> {
  let cancel: (() => void) | undefined;
  let notice: Promise<void> | undefined;
  const onStart = (): void => {
    presence.isThrough();
    cancel = engine.clock.after(engine.intentThresholdMs, () => {
      notice = status
        .write({ kind: 'syncing' })
        .catch((error: unknown) => engine.log.warn({ err: error }, 'Syncing could not be shown'));
    });
  };
  engine.trust.writing(state.metadata.name ?? '');
  try {
    return await engine.writer.write({ ...session, target, change, priority, signal, onStart });
  } finally {
    cancel?.();
    await notice;
  }
}
