import type { Refs, Resolution } from '../engine/l2-controllers/contributor.ts';
import { contribution } from '../engine/l4-state/contract.ts';
import { cloudflareDomainKind } from '../kinds/cloudflare-domain/resource.ts';
import type { CloudflareDomain } from '../kinds/cloudflare-domain/resource.ts';
import { cloudflareDomainContract } from '../targets/cloudflare-domain/contract.ts';
import type { CloudflareDetails } from './cloudflare-details.ts';
import { credentialsOf } from './credentials-of.ts';
import type { Account } from './credentials-of.ts';
import { completeName, isInDomain } from './domain-names.ts';
import { oldest } from './oldest.ts';

export type ZoneQuestion = {
  readonly cloudflare: CloudflareDetails | undefined;
  /** Of the object; none for a cluster-wide one. */
  readonly namespace: string | undefined;
  /** The host or record that must lie in the zone: in full, or a short name such as `www` or `@`. */
  readonly name?: string;
  /** The domain is not the object's own word but that of a tunnel: a CloudflareDomain that covers the name comes first. */
  readonly domainIsDefault?: boolean;
};

export type Zone = Account & {
  readonly zoneId: string;
  /** Empty where only the id is known. */
  readonly domain: string;
  /** The whole name; as given where the domain is not known, for the API completes it too. */
  readonly name: string;
};

/**
 * The zone that an object is about. In this order: the id it names; the domain it names, where its name lies in that (a
 * delegation stands in the zone above); the CloudflareDomain that covers its name best; the domain it names; the default
 * domain of its credentials; the default CloudflareDomain. A domain without an object of its own is looked up by a
 * SyncState, so nothing but a name is needed.
 */
export function zoneOf(refs: Refs, question: ZoneQuestion): Resolution<Zone> {
  const { cloudflare: details, namespace, name = '' } = question;
  if (details?.zoneId) return byId(refs, question, details.zoneId);
  const covering = coveringDomain(refs, statedDomain(question) ?? name);
  if (covering) return byObject(refs, question, covering);
  const account = credentialsOf(refs, details, namespace, { accountOptional: true });
  if (!account.ok) return account;
  const domain = (details?.domain || account.value.defaultDomain || '').toLowerCase();
  if (domain !== '') return byDomain(refs, question, account.value, domain);
  const fallback = oldest(refs.list(cloudflareDomainKind).filter(({ spec }) => spec.isDefault));
  if (fallback) return byObject(refs, question, fallback);
  return broken(
    'ZoneUnknown',
    `no zone for ${name || 'this object'}: name spec.cloudflare.domain or make a CloudflareDomain`,
  );
}

function statedDomain({ cloudflare, name = '', domainIsDefault = false }: ZoneQuestion): string | undefined {
  const { domain = '' } = cloudflare ?? {};
  return !domainIsDefault && isInDomain(name, domain) ? domain : undefined;
}

function byId(refs: Refs, { cloudflare, namespace, name = '' }: ZoneQuestion, zoneId: string): Resolution<Zone> {
  const account = credentialsOf(refs, cloudflare, namespace, { accountOptional: true });
  if (!account.ok) return account;
  const known = refs
    .list(cloudflareDomainKind)
    .find((each) => zoneIdOf(each) === zoneId)
    ?.spec.domain.toLowerCase();
  return named({ ...account.value, zoneId, domain: known ?? cloudflare?.domain?.toLowerCase() ?? '' }, name);
}

/** The object's own credentials come before those of the CloudflareDomain. */
function byObject(refs: Refs, question: ZoneQuestion, object: CloudflareDomain): Resolution<Zone> {
  const { cloudflare, namespace, name = '' } = question;
  const own = Boolean(cloudflare?.credentialsRef?.name) || Boolean(cloudflare?.secret);
  const details = own ? cloudflare : { credentialsRef: object.spec.credentialsRef };
  const account = credentialsOf(refs, details, namespace, { accountOptional: true });
  if (!account.ok) return account;
  const domain = object.spec.domain.toLowerCase();
  const zoneId = zoneIdOf(object);
  if (!zoneId) return waiting(`the zone of CloudflareDomain ${object.metadata.name ?? ''} is not known yet`);
  const accountId = object.status?.accountId || account.value.accountId;
  return named({ ...account.value, accountId, zoneId, domain }, name);
}

function byDomain(refs: Refs, { name = '' }: ZoneQuestion, account: Account, domain: string): Resolution<Zone> {
  const object = refs.list(cloudflareDomainKind).find(({ spec }) => spec.domain.toLowerCase() === domain);
  const known = object && zoneIdOf(object);
  if (known) return named({ ...account, zoneId: known, domain }, name);
  const { accountId, credentials } = account;
  const lookup = contribution(cloudflareDomainContract, { accountId, domain }, { lookup: true }, { credentials });
  const { status } = refs.lookUp(lookup) ?? {};
  const zoneId = status?.resultData?.['zoneId'];
  if (zoneId) return named({ ...account, zoneId, domain }, name);
  const failed = status?.syncStatus === 'Error' ? status.error : undefined;
  if (failed) return broken('ZoneNotFound', `domain ${domain}: ${failed}`);
  return waiting(`the zone of ${domain} is being looked up`);
}

function zoneIdOf({ spec, status }: CloudflareDomain): string | undefined {
  return spec.zoneId || status?.zoneId || undefined;
}

/** The longest domain that the name lies in; a short name lies in none. */
export function coveringDomain(refs: Refs, name: string): CloudflareDomain | undefined {
  const covering = refs.list(cloudflareDomainKind).filter(({ spec }) => isInDomain(name, spec.domain));
  const longest = Math.max(0, ...covering.map(({ spec }) => spec.domain.length));
  return oldest(covering.filter(({ spec }) => spec.domain.length === longest));
}

function named(zone: Omit<Zone, 'name'>, name: string): Resolution<Zone> {
  if (zone.domain === '' || name === '') return { ok: true, value: { ...zone, name } };
  const whole = completeName(name, zone.domain);
  if (whole !== undefined) return { ok: true, value: { ...zone, name: whole } };
  return broken('NotInZone', `${name} does not lie in the zone ${zone.domain}`);
}

type Failed = Extract<Resolution<never>, { readonly ok: false }>;

function broken(reason: string, message: string): Failed {
  return { ok: false, state: 'broken', reason, message };
}

function waiting(message: string): Failed {
  return { ok: false, state: 'waiting', reason: 'ZonePending', message };
}
