import type { Sessions } from './credentials/create-credentials.ts';
import type { Estate } from './estate/create-estate.ts';
import type { IdSource } from './ids/create-id-source.ts';
import type { Delays, Quotas, RoleOptions } from './sim-options.ts';

/** What an action works with. */
export type World = {
  /** Wall time, for what callers read. */
  readonly now: () => number;
  readonly ids: IdSource;
  readonly estate: Estate;
  readonly sessions: Sessions;
  readonly delays: Delays;
  readonly quotas: Quotas;
  readonly roles: readonly RoleOptions[] | undefined;
  readonly isRegion: (regionId: string) => boolean;
};

/** `2026-11-16T08:00:00Z`: the provider writes no fractions. */
export function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
