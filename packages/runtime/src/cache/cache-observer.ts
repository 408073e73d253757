import type { RestartReason } from './judge-end.ts';

/** What the cache tells whoever counts. `kind` is the kindId. Every part may be left out. */
export type CacheObserver = {
  /** Everything was fetched, for the first time or again. */
  readonly listed?: (kind: string, list: ListFacts) => void;
  readonly watchStarted?: (kind: string) => void;
  /** A list or watch came to an end and another will follow. */
  readonly restarted?: (kind: string, reason: RestartReason, message: string) => void;
  readonly event?: (kind: string, type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR') => void;
  /** A line, an event or an answer made no sense. */
  readonly garbage?: (kind: string, message: string) => void;
  /** A listener, an index function or a transform threw. */
  readonly listenerFailed?: (kind: string, error: unknown) => void;
};

export type ListFacts = {
  readonly via: 'list' | 'watch-list';
  readonly objects: number;
  readonly durationMs: number;
};
