import { listAll } from '@tributary/cloudflare-api';
import type { Call } from '../../engine/l5-sync/target.ts';
import { unlessGone } from '../unless-gone.ts';
import { fingerprintOf } from './key-pair.ts';

/** A certificate as the API shows it. */
export type RemoteCertificate = {
  readonly id?: string;
  readonly certificate?: string;
  readonly hostnames?: readonly string[];
  readonly request_type?: string;
  readonly revoked_at?: string | null;
};

/** One that is in force: a revoked one is shown for ever and counts as gone. */
export async function getCertificate(id: string, { api, signal }: Call): Promise<RemoteCertificate | undefined> {
  const found: RemoteCertificate | undefined = await unlessGone(api.originCACertificates.get(id, { signal }));
  return found?.revoked_at ? undefined : found;
}

/** Those that were issued for a key: what leads back to a certificate whose answer was lost. */
export async function certificatesFor(
  key: string,
  hostnames: readonly string[],
  call: Call,
): Promise<readonly RemoteCertificate[]> {
  const zoneId = await zoneOf(hostnames[0] ?? '', call);
  if (zoneId === undefined) return [];
  const { api, signal } = call;
  const wanted = fingerprintOf(key);
  const all = await listAll(api.originCACertificates.list({ zone_id: zoneId, per_page: 50 }, { signal }));
  return (all as readonly RemoteCertificate[]).filter(
    (one) => !one.revoked_at && wanted !== undefined && fingerprintOf(one.certificate) === wanted,
  );
}

/** A list of certificates is that of a zone, and a host name does not say which part of it is the zone. */
async function zoneOf(hostname: string, { api, signal }: Call): Promise<string | undefined> {
  const labels = hostname.replace(/^\*\./, '').split('.');
  for (let first = 0; first < labels.length - 1; first += 1) {
    const name = labels.slice(first).join('.');
    const [zone] = await listAll(api.zones.list({ name, per_page: 5 }, { signal }));
    if (zone) return zone.id;
  }
  return undefined;
}
