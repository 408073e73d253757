import { isChild } from '../../engine/l2-controllers/children.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { priorityOfRecord } from '../../refs/tunnels/record-children.ts';
import { canonicalHost } from '../../refs/canonical-host.ts';
import { zoneOf } from '../../refs/zone-of.ts';
import type { Zone } from '../../refs/zone-of.ts';
import { zonePlan } from '../../refs/zone-plan.ts';
import { dnsRecordContract } from '../../targets/dns-record/contract.ts';
import type { DnsRecordKey } from '../../targets/dns-record/contract.ts';
import { chooseValues } from './choose-values.ts';
import { dnsRecordKind } from './resource.ts';
import type { DnsRecord } from './resource.ts';
import { sourceAddresses, sourceKinds } from './source-addresses.ts';
import { dnsRecordStatus, orphanedVerdict } from './status.ts';

/** One record to be: `record` tells it apart where the object has several. */
type Value = { readonly record: string; readonly type: string; readonly content?: string };
type Resolved = { readonly zone: Zone; readonly values: readonly Value[]; readonly plan?: string | undefined };

/** A comment of this length fits on every plan, with our mark. */
const shortComment = 60;

export const dnsRecordContributor = defineContributor<DnsRecord, Resolved>({
  kind: dnsRecordKind,
  finalizer: 'dnsrecord.cloudflare-operator.io/finalizer',
  formerFinalizers: ['dnsrecord.networking.cloudflare-operator.io/finalizer'],
  mayRead: sourceKinds,
  resolve: (object, refs) => {
    const values = valuesOf(object, refs);
    if (!values.ok) return values;
    const { metadata, spec } = object;
    const zone = zoneOf(refs, {
      cloudflare: spec.cloudflare,
      namespace: metadata.namespace,
      name: nameOf(object),
      // What an Ingress or Gateway makes has the words of its tunnel.
      domainIsDefault: isChild(object),
    });
    if (!zone.ok) return zone;
    const plan = (spec.comment ?? '').length > shortComment ? zonePlan(refs, zone.value) : undefined;
    return { ok: true, value: { zone: zone.value, values: values.value, plan } };
  },
  contribute: (object, resolved) => resolved.values.map((value) => toContribution(object, resolved, value)),
  verdict: orphanedVerdict,
  status: dnsRecordStatus,
  ready: { synced: 'Synced', pending: 'Pending', failed: 'ReconcileError' },
});

/** Where the parts of a service stand in `data`, they belong in front of the name. */
function nameOf({ spec: { name, type, data } }: DnsRecord): string {
  const { service, proto } = data ?? {};
  const host = canonicalHost(name);
  if (type !== 'SRV' || !service || !proto || host.startsWith('_')) return host;
  const labels = [service, proto].map((label) => `_${label.replace(/^_/, '').toLowerCase()}`);
  return [...labels, ...(host === '@' ? [] : [host])].join('.');
}

function valuesOf({ metadata, spec, status }: DnsRecord, refs: Refs): Resolution<readonly Value[]> {
  const { sourceRef, type, content, sourceDeletionPolicy: policy } = spec;
  if (!sourceRef) return { ok: true, value: [{ record: '', type: type ?? '', ...(content && { content }) }] };
  const source = sourceAddresses(refs, sourceRef, metadata.namespace ?? '');
  if (!source.addresses) {
    const known = status?.resolvedAddresses ?? [];
    // What is kept is kept in step, by what the source said last.
    if (policy === 'Orphan' && known.length > 0) return { ok: true, value: toValues(known, spec) };
    const message = `${source.what} is not there`;
    return { ok: false, state: 'broken', reason: 'SourceDeleted', message, release: policy === 'Delete' };
  }
  const values = toValues(source.addresses, spec);
  if (values.length > 0) return { ok: true, value: values };
  const fitting = type === undefined ? '' : ` that fits a record of type ${type}`;
  return { ok: false, state: 'waiting', reason: 'NoAddress', message: `${source.what} has no address${fitting} yet` };
}

function toValues(addresses: readonly string[], spec: DnsRecord['spec']): readonly Value[] {
  const values = chooseValues(addresses, spec.addressSelection, spec.type);
  return values.map((value) => ({ ...value, record: spec.addressSelection === 'All' ? value.content : '' }));
}

function toContribution(object: DnsRecord, { zone, plan }: Resolved, value: Value): Contribution {
  const { type, content } = value;
  const { metadata, spec } = object;
  const { ttl, proxied, priority, comment, tags, data } = spec;
  const { credentials, name } = zone;
  const config = {
    name,
    type,
    ttl,
    proxied,
    ...(content !== undefined && { content }),
    ...(priority !== undefined && { priority }),
    ...(comment && { comment }),
    ...(tags && { tags }),
    ...(data && { data: data as Readonly<Record<string, string | number>> }),
    ...(plan && { plan }),
    ...adoptWish(metadata),
  };
  const options = { credentials, priority: priorityOfRecord(object) };
  return contribution(dnsRecordContract, keyOf(object, zone, value), config, options);
}

/** Several Ingresses may serve paths of one host: the record that each of them has made for it is theirs together. */
function keyOf(object: DnsRecord, { accountId, zoneId, name }: Zone, { record }: Value): DnsRecordKey {
  if (isChild(object)) return { accountId, zoneId, owner: '', record: name };
  const { namespace = '', name: ownName = '' } = object.metadata;
  return { accountId, zoneId, owner: `DNSRecord/${namespace}/${ownName}`, record };
}
