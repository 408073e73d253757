import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

const text = z.string();

const splitEntry = z.object({
  address: text.optional(),
  host: text.optional(),
  description: text.optional(),
});

const config = z.object({
  /** In which mode the profile has to be for its entries; absent where it has none. */
  mode: z.enum(['exclude', 'include']).optional(),
  exclude: z.array(splitEntry).optional(),
  include: z.array(splitEntry).optional(),
  fallback: z
    .array(z.object({ suffix: text, description: text.optional(), dns_server: z.array(text).optional() }))
    .optional(),
});

/** `profile`: the id of a custom profile; empty for the default one. */
export type DeviceSettingsPolicyKey = { readonly accountId: string; readonly profile: string };
export type DeviceSettingsPolicyConfig = z.output<typeof config>;
export type SplitMode = 'exclude' | 'include';

/** Of a description, our mark included. */
export const longestDescription = 100;

/** The lists of one device profile, which many objects and people share. */
export const deviceSettingsPolicyContract = defineContract<DeviceSettingsPolicyKey, DeviceSettingsPolicyConfig>({
  type: 'DeviceSettingsPolicy',
  sources: 'many',
  config,
  readable: ({ accountId, profile }) => profile || accountId,
  cloudflareId: ({ accountId, profile }) => profile || `account-${accountId}`,
});
