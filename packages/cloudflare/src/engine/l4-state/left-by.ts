import type { SyncState } from './sync-state.ts';

/**
 * Who has left a SyncState while the remote side may still show it: written together with the change itself, so that an
 * object that is being deleted finds what it waits for, also after a restart and on another replica.
 */
export const leftByAnnotation = 'cloudflare-operator.io/left-by';

export function leaversOf({ metadata }: Pick<SyncState, 'metadata'>): readonly string[] {
  const text = metadata.annotations?.[leftByAnnotation] ?? '';
  return text === '' ? [] : text.split(',');
}
