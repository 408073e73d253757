import { certifyKey, issueCertificate } from '@tributary/runtime/certificates';
import type { CertifiedKey } from '@tributary/runtime/certificates';
import { userAccess, maySee } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import { toPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { defineTable, globalScope } from '../../store/table.ts';
import { zones } from '../zones/zone.ts';
import { readRequest } from './read-request.ts';

type OriginCertificate = {
  readonly id: string;
  readonly zoneIds: readonly string[];
  readonly certificate: string;
  readonly hostnames: readonly string[];
  readonly requestType: string;
  readonly requestedValidity: number;
  readonly expiresOn: string;
  readonly revokedAt: string | undefined;
};

const certificates = defineTable<OriginCertificate>('origin_certificates');
const authorities = defineTable<CertifiedKey & { readonly id: string }>('origin_authority');
const validities = new Set([7, 30, 90, 365, 730, 1095, 5475]);
const types = new Set(['origin-rsa', 'origin-ecc', 'keyless-certificate']);
const dayMs = 86_400_000;
const authorityName = 'Simulated Origin CA';

export const originCaFamily: Family = {
  name: 'origin-ca',
  routes: [
    { method: 'GET', path: '/certificates', access: userAccess, run: list },
    { method: 'POST', path: '/certificates', access: userAccess, run: create },
    { method: 'GET', path: '/certificates/:id', access: userAccess, run: (call) => ({ result: toView(find(call)) }) },
    { method: 'DELETE', path: '/certificates/:id', access: userAccess, run: revoke },
  ],
};

function find(call: Call): OriginCertificate {
  const found = call.state.get(certificates, globalScope, param(call, 'id'));
  if (!found) throw refusal(404, 1101, 'Certificate not found');
  return found;
}

/** Every request makes a new certificate. */
function create(call: Call): Reply {
  const fields = toFields(call.body);
  const publicKey = readRequest(textOf(fields['csr']) ?? '');
  if (!publicKey) throw refusal(400, 1102, 'Failed to parse the certificate signing request');
  const requestType = textOf(fields['request_type']) ?? '';
  if (!types.has(requestType)) throw refusal(400, 1103, 'Unknown request type');
  const requestedValidity = Number(fields['requested_validity'] ?? 5475);
  if (!validities.has(requestedValidity)) throw refusal(400, 1104, 'Unsupported validity');
  const hostnames = hostnamesOf(fields['hostnames']);
  const zoneIds = hostnames.map((hostname) => zoneOf(call, hostname));
  const digits = call.world.ids.hex(38);
  const lifetimeMs = requestedValidity * dayMs;
  const request = {
    commonName: 'CloudFlare Origin Certificate',
    hosts: hostnames,
    usage: 'server' as const,
    nowMs: call.world.now(),
    lifetimeMs,
  };
  const serial = Buffer.from(`40${digits}`, 'hex');
  const row: OriginCertificate = {
    id: BigInt(`0x40${digits}`).toString(),
    zoneIds,
    certificate: certifyKey({ ...request, serial }, publicKey, { ...authorityOf(call), name: authorityName }),
    hostnames,
    requestType,
    requestedValidity,
    expiresOn: toGoTime(call.world.now() + lifetimeMs),
    revokedAt: undefined,
  };
  call.state.put(certificates, globalScope, row.id, row);
  return { result: { ...toView(row), csr: fields['csr'], requested_validity: requestedValidity } };
}

function authorityOf(call: Call): CertifiedKey {
  const known = call.state.get(authorities, globalScope, 'only');
  if (known) return known;
  const lifetimeMs = 20 * 365 * dayMs;
  const made = issueCertificate({ commonName: authorityName, usage: 'authority', nowMs: call.world.now(), lifetimeMs });
  call.state.put(authorities, globalScope, 'only', { id: 'only', ...made });
  return made;
}

/** They come back sorted. */
function hostnamesOf(value: unknown): readonly string[] {
  const hostnames = Array.isArray(value) ? value.map((name) => String(name).toLowerCase()).toSorted() : [];
  if (hostnames.length === 0 || hostnames.length > 200) throw refusal(400, 1105, 'one to 200 hostnames are needed');
  for (const name of hostnames) {
    if (!/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))
      throw refusal(400, 1106, `${name} is not a valid hostname`);
  }
  return hostnames;
}

function zoneOf(call: Call, hostname: string): string {
  const name = hostname.replace(/^\*\./, '');
  const zone = [...call.state.rows(zones, globalScope).values()].find(
    (one) => one.status === 'active' && (name === one.name || name.endsWith(`.${one.name}`)),
  );
  if (!zone || !maySee(call.principal, zone.accountId, zone.id)) {
    throw refusal(400, 1010, `${hostname} is not on an active zone of the account`);
  }
  return zone.id;
}

function list(call: Call): Reply {
  const zoneId = call.query.get('zone_id');
  if (zoneId === null) throw refusal(400, 1107, 'zone_id is required');
  const rows = [...call.state.rows(certificates, globalScope).values()].filter(
    ({ zoneIds, revokedAt }) => zoneIds.includes(zoneId) && revokedAt === undefined,
  );
  return toPage(call.query, rows.map(toView), { defaultSize: 20, maxSize: 50 });
}

/** A revoked one can still be read. */
function revoke(call: Call): Reply {
  const found = find(call);
  if (found.revokedAt !== undefined) throw refusal(400, 1014, 'Certificate is already revoked');
  const revokedAt = timestamp(call.world);
  call.state.put(certificates, globalScope, found.id, { ...found, revokedAt });
  return { result: { id: found.id, revoked_at: revokedAt } };
}

/** `2030-01-02 15:04:05 +0000 UTC`: not RFC 3339. */
function toGoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}

function toView({ id, certificate, hostnames, requestType, expiresOn, revokedAt }: OriginCertificate): object {
  const revoked = revokedAt === undefined ? {} : { revoked_at: revokedAt };
  return { id, certificate, hostnames, request_type: requestType, expires_on: expiresOn, ...revoked };
}
