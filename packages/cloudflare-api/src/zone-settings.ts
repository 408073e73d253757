/** All settings of a zone in one call. The API has it, the SDK has no method for it. */
import type { CloudflareApi } from './sdk/resources.ts';

export type ZoneSetting = {
  readonly id: string;
  readonly value: unknown;
  /** False when the plan of the zone does not allow a change. */
  readonly editable?: boolean;
  readonly modified_on?: string | null;
};

type RequestOptions = { readonly signal?: AbortSignal };
type SettingsEnvelope = { readonly result: readonly ZoneSetting[] | null };

export async function listZoneSettings(
  api: Pick<CloudflareApi, 'get'>,
  zoneId: string,
  options: RequestOptions = {},
): Promise<readonly ZoneSetting[]> {
  const { result } = await api.get<SettingsEnvelope>(pathOf(zoneId), options);
  return result ?? [];
}

/** Writes these settings and leaves the others alone. */
export async function editZoneSettings(
  api: Pick<CloudflareApi, 'patch'>,
  zoneId: string,
  items: readonly Pick<ZoneSetting, 'id' | 'value'>[],
  options: RequestOptions = {},
): Promise<readonly ZoneSetting[]> {
  const { result } = await api.patch<SettingsEnvelope>(pathOf(zoneId), { body: { items }, ...options });
  return result ?? [];
}

function pathOf(zoneId: string): string {
  return `/zones/${encodeURIComponent(zoneId)}/settings`;
}
