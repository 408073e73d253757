import { defineTarget } from '../../engine/l5-sync/target.ts';
import { aggregateProfile } from './aggregate.ts';
import { deviceSettingsPolicyContract } from './contract.ts';
import type { DeviceSettingsPolicyConfig, DeviceSettingsPolicyKey } from './contract.ts';
import { isSameList } from './entry.ts';
import type { Entry } from './entry.ts';
import { mergeProfile, recordOf, withoutOurs } from './foreign-entries.ts';
import type { ObservedProfile, RecordedProfile, WantedProfile } from './foreign-entries.ts';
import { findProfile, putList } from './profile-calls.ts';

type Key = DeviceSettingsPolicyKey;

export const deviceSettingsPolicyTarget = defineTarget<Key, DeviceSettingsPolicyConfig, WantedProfile, ObservedProfile>(
  {
    contract: deviceSettingsPolicyContract,
    aggregate: aggregateProfile,
    scope: ({ accountId, profile }) => `${accountId}/${profile}`,
    observe: {
      lookup: async ({ key }, call) => {
        const found = await findProfile(key, call);
        return found ? [found] : [];
      },
    },
    idOf: ({ id }) => id,
    relation: () => 'same',
    difference: (wanted, observed) => {
      const { mode = observed.mode } = wanted;
      const isSplit = mode === observed.mode && isSameList(splitOf(wanted), observed.split);
      return [
        ...(isSplit ? [] : [mode]),
        ...(isSameList(fallbackOf(wanted), observed.fallback) ? [] : ['fallback_domains']),
      ];
    },
    shared: {
      record: recordOf,
      merge: (desired, observed, recorded) =>
        observed ? mergeProfile(desired, observed, recorded as RecordedProfile | undefined) : desired,
      cleared: (observed, recorded) => withoutOurs(observed, recorded as RecordedProfile | undefined),
      entries: (recorded) => {
        const { exclude = [], include = [], fallback = [] } = (recorded ?? {}) as RecordedProfile;
        return [...exclude, ...include, ...fallback];
      },
    },
    update: async ({ key, wanted, observed, fields }, call) => {
      const mode = fields.find((field) => field === 'exclude' || field === 'include');
      const split = mode ? await putList(key, mode, splitOf(wanted), call) : observed.split;
      const fallback = fields.includes('fallback_domains')
        ? await putList(key, 'fallback_domains', fallbackOf(wanted), call)
        : observed.fallback;
      return { ...observed, mode: mode ?? observed.mode, split, fallback };
    },
    giveUp: () => 'clear',
    outputs: ({ mode }, { foreign }) => ({
      data: {
        mode,
        ...(foreign && { foreignEntries: String(foreign.split.length + foreign.fallback.length) }),
      },
    }),
  },
);

function splitOf({ split, foreign }: WantedProfile): readonly Entry[] {
  return [...(foreign?.split ?? []), ...split];
}

function fallbackOf({ fallback, foreign }: WantedProfile): readonly Entry[] {
  return [...(foreign?.fallback ?? []), ...fallback];
}
