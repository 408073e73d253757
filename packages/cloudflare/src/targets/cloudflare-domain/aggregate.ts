import type { z } from 'zod';
import type { Source } from '../../engine/l4-state/source.ts';
import type { Aggregate } from '../../engine/l5-sync/target.ts';
import { fieldWins } from '../field-wins.ts';
import type { cloudflareDomainContract } from './contract.ts';

export type DomainConfig = z.output<(typeof cloudflareDomainContract)['config']>;

export type WantedZone = {
  readonly zoneId?: string;
  readonly settings: Readonly<Record<string, string | number>>;
};

/** Each setting by itself: the first source that names it wins; who wants another value hears it. */
export function aggregateZone(sources: readonly Source<DomainConfig>[]): Aggregate<WantedZone> {
  const { values: settings, losers } = fieldWins(sources, ({ settings: own = {} }) => own);
  const zoneId = sources.find(({ config }) => config.zoneId)?.config.zoneId;
  return { ok: true, desired: { ...(zoneId && { zoneId }), settings }, losers };
}
