import type { Fields } from '../../api/fields.ts';
import { defineTable } from '../../store/table.ts';

export type SplitEntry = { readonly address?: string; readonly host?: string; readonly description?: string };
export type FallbackEntry = {
  readonly suffix: string;
  readonly description?: string;
  readonly dns_server?: readonly string[];
};

export type DeviceProfile = {
  readonly id: string;
  readonly isDefault: boolean;
  readonly definition: Fields;
  /** Only one of the two lists is in force; the other is nothing. */
  readonly exclude: readonly SplitEntry[] | undefined;
  readonly include: readonly SplitEntry[] | undefined;
  readonly fallbackDomains: readonly FallbackEntry[];
};

export type PostureRule = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly definition: Fields;
};

/** Both by account. The default profile has the key `default`. */
export const deviceProfiles = defineTable<DeviceProfile>('device_profiles');
export const postureRules = defineTable<PostureRule>('posture_rules');

/** What every profile begins with. */
export const seededExclude: readonly SplitEntry[] = [
  { address: '10.0.0.0/8' },
  { address: '100.64.0.0/10' },
  { address: '169.254.0.0/16', description: 'DHCP Unspecified' },
  { address: '172.16.0.0/12' },
  { address: '192.0.0.0/24' },
  { address: '192.168.0.0/16' },
  { address: '224.0.0.0/24' },
  { address: '240.0.0.0/4' },
  { address: '255.255.255.255/32', description: 'DHCP Broadcast' },
  { address: 'fe80::/10', description: 'IPv6 Link Local' },
  { address: 'fd00::/8' },
];
export const seededFallback: readonly FallbackEntry[] = [
  'intranet',
  'internal',
  'private',
  'localdomain',
  'domain',
  'lan',
  'home',
  'host',
  'corp',
  'local',
  'localhost',
  'home.arpa',
  'invalid',
  'test',
].map((suffix) => ({ suffix }));
