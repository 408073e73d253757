import { canonicalJson, OperatorError, toTimestamp } from '@tributary/runtime';
import { createSigningRequest } from '@tributary/runtime/signing-request';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Asked, Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { unlessGone } from '../unless-gone.ts';
import { originCaCertificateContract } from './contract.ts';
import type { OriginCaCertificateConfig, OriginCaCertificateKey } from './contract.ts';
import { certificatesFor, getCertificate } from './find-certificates.ts';
import type { RemoteCertificate } from './find-certificates.ts';
import { certificateIdOf, isOfSort, lifetimeOf, makeKey } from './key-pair.ts';
import { renewalOf } from './renewal.ts';
import { keyOf, readStored, toNextKey, toPair } from './stored-keys.ts';
import type { StoredKeys } from './stored-keys.ts';

type Desired = OriginCaCertificateConfig;

export type ObservedCertificate = {
  readonly id: string;
  readonly certificate: string;
  readonly hostnames: readonly string[];
  readonly requestType: string;
  /** Whether its private key is where it should be. */
  readonly stored: boolean;
  readonly due: boolean;
  /** Others of ours that a crash has left; they go together. */
  readonly twins?: readonly string[];
};

/** All that a deletion needs to find what a crash may have left. */
type Memory = Pick<Desired, 'hostnames' | 'secret' | 'key'> & { readonly validityDays?: number };

/**
 * A certificate is always a new one: nothing can be changed, so every difference means another, and the old one is
 * revoked when the new one is where its users find it. There is no place for a mark; the key is the mark, which is why
 * it is stored before the certificate is asked for.
 */
export const originCaCertificateTarget = defineTarget<
  OriginCaCertificateKey,
  OriginCaCertificateConfig,
  Desired,
  ObservedCertificate
>({
  contract: originCaCertificateContract,
  aggregate: (sources) => {
    const { winner, losers } = firstWins(sources, 'certificate');
    return { ok: true, desired: winner.config, losers };
  },
  scope: ({ accountId }) => accountId,
  observe: { lookup },
  idOf: ({ id }) => id,
  relation: () => 'same',
  difference: (wanted, observed, remembered) => differenceOf(wanted, observed, remembered as Memory | undefined),
  memory: {
    before: (wanted) => toPlaces(wanted),
    after: (wanted) => ({ ...toPlaces(wanted), validityDays: wanted.validityDays }),
  },
  lookAgainAt: ({ certificate }, { renewBeforeDays }) => renewalOf(certificate, renewBeforeDays),
  create: { repeatable: 'intent', run: async (wanted, _key, call) => issue(wanted, call) },
  update: async ({ wanted, observed }, call) => replace(wanted, observed, call),
  giveUp: () => 'delete',
  remove: async ({ id, twins = [] }, _key, call) => {
    for (const one of [...twins, id]) await revoke(one, call);
  },
  outputs: ({ certificate }, { renewBeforeDays }) => {
    const { fromMs, untilMs } = lifetimeOf(certificate) ?? {};
    const renewal = renewalOf(certificate, renewBeforeDays);
    return {
      data: {
        certificate,
        ...(fromMs !== undefined && { issuedAt: toTimestamp(fromMs) }),
        ...(untilMs !== undefined && { expiresAt: toTimestamp(untilMs) }),
        ...(renewal !== undefined && { renewalTime: toTimestamp(renewal) }),
      },
    };
  },
  secrets: async (observed, wanted, _key, call) => {
    if (!wanted.secret) return [];
    const key = keyOf(observed.certificate, await readStored(wanted, call));
    return key === undefined ? [] : [toPair(wanted.secret, observed.certificate, key, wanted.requestType)];
  },
});

function toPlaces({ hostnames, secret, key }: Desired): Memory {
  return { hostnames, ...(secret && { secret }), ...(key && { key }) };
}

function differenceOf(wanted: Desired, observed: ObservedCertificate, remembered: Memory | undefined): string[] {
  const { hostnames, requestType, makes, validityDays } = wanted;
  return [
    ...(canonicalJson(namesOf(hostnames)) === canonicalJson(namesOf(observed.hostnames)) ? [] : ['hostnames']),
    ...(requestType === observed.requestType ? [] : ['request_type']),
    // The API does not tell how long it was asked for.
    ...(validityDays === (remembered?.validityDays ?? validityDays) ? [] : ['requested_validity']),
    ...(observed.stored && (!makes || isOfSort(observed.certificate, makes)) ? [] : ['private_key']),
    ...(observed.due ? ['expires_on'] : []),
  ];
}

/** They come back sorted, and in lower case. */
function namesOf(hostnames: readonly string[]): readonly string[] {
  return [...new Set(hostnames.map((name) => name.toLowerCase()))].toSorted();
}

async function lookup(
  { desired, id, remembered }: Asked<OriginCaCertificateKey, Desired>,
  call: Call,
): Promise<readonly ObservedCertificate[]> {
  const about = desired ?? (remembered as Memory | undefined);
  const stored: StoredKeys = about ? await readStored(about, call) : { exists: false };
  const ids = new Set([id, certificateIdOf(stored.certificate)].filter((one) => one !== undefined));
  const found = new Map<string, RemoteCertificate>();
  for (const one of ids) {
    const seen = await getCertificate(one, call);
    if (seen) found.set(one, seen);
  }
  const waiting = stored.next ?? (found.size === 0 ? stored.own : undefined);
  const lost = waiting && about ? await certificatesFor(waiting, about.hostnames, call) : [];
  for (const one of lost) found.set(one.id ?? '', one);
  return [...found.values()].map((one) => ({
    ...toObserved(one, desired, isStored(one, stored), call),
    twins: [...found.keys()].filter((other) => other !== one.id),
  }));
}

/** Somebody's own key counts alone: when that is another, the certificate must be another. */
function isStored({ certificate = '' }: RemoteCertificate, { own, ...ours }: StoredKeys): boolean {
  return keyOf(certificate, own === undefined ? ours : { exists: true, own }) !== undefined;
}

function toObserved(
  { id = '', certificate = '', hostnames = [], request_type: requestType = '' }: RemoteCertificate,
  wanted: Desired | undefined,
  stored: boolean,
  { now }: Pick<Call, 'now'>,
): ObservedCertificate {
  const renewal = wanted && renewalOf(certificate, wanted.renewBeforeDays);
  return { id, certificate, hostnames, requestType, stored, due: renewal !== undefined && renewal <= now() };
}

async function issue(wanted: Desired, call: Call): Promise<ObservedCertificate> {
  const { hostnames, requestType, validityDays } = wanted;
  const key = await keyFor(wanted, call);
  const csr = wanted.csr ?? createSigningRequest({ commonName: hostnames[0] ?? '', hosts: hostnames }, key);
  const body = { csr, hostnames: [...hostnames], request_type: requestType, requested_validity: validityDays };
  const { originCACertificates } = call.api;
  const made = await originCACertificates.create(body as Parameters<typeof originCACertificates.create>[0], {
    signal: call.signal,
  });
  return toObserved(made, wanted, true, call);
}

/** The key for the next certificate: stored already where it is somebody's own or where an earlier try was cut short. */
async function keyFor(wanted: Desired, call: Call): Promise<string> {
  const stored = await readStored(wanted, call);
  if (wanted.key) {
    if (stored.own !== undefined) return stored.own;
    const message = `the Secret ${wanted.key.namespace}/${wanted.key.name} with the private key is not there`;
    throw new OperatorError('sync/secret-missing', message, { kind: 'after', ms: 2000 });
  }
  const { makes, secret } = wanted;
  if (!makes || !secret) throw new TypeError('a certificate needs a key, and a key a place');
  if (stored.next !== undefined && isOfSort(stored.next, makes)) return stored.next;
  const next = makeKey(makes);
  await call.keepSecret(toNextKey(secret, next, stored));
  return next;
}

async function replace(wanted: Desired, old: ObservedCertificate, call: Call): Promise<ObservedCertificate> {
  const made = (await issuedBefore(wanted, old, call)) ?? (await issue(wanted, call));
  if (wanted.secret) {
    const key = keyOf(made.certificate, await readStored(wanted, call));
    if (key !== undefined) await call.keepSecret(toPair(wanted.secret, made.certificate, key, wanted.requestType));
  }
  await revoke(old.id, call);
  return made;
}

/** What an earlier try has asked for and not come to use. */
async function issuedBefore(
  wanted: Desired,
  old: ObservedCertificate,
  call: Call,
): Promise<ObservedCertificate | undefined> {
  const stored = await readStored(wanted, call);
  const id = certificateIdOf(stored.certificate);
  const inUse = id === undefined || id === old.id ? undefined : await getCertificate(id, call);
  const waiting = stored.next ?? stored.own;
  const found = [...(inUse ? [inUse] : []), ...(waiting ? await certificatesFor(waiting, wanted.hostnames, call) : [])];
  return found
    .filter((one) => one.id !== old.id)
    .map((one) => toObserved(one, wanted, isStored(one, stored), call))
    .find((one) => differenceOf(wanted, one, undefined).length === 0);
}

async function revoke(id: string, { api, signal }: Call): Promise<void> {
  await unlessGone(api.originCACertificates.delete(id, { signal }));
}
