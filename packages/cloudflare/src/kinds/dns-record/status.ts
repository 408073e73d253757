import type { Refs, View } from '../../engine/l2-controllers/contributor.ts';
import { sourceAddresses } from './source-addresses.ts';
import type { DnsRecord } from './resource.ts';

type Status = NonNullable<DnsRecord['status']>;

/** What is not known yet stays as it was; what only records with a source have goes when the source does. */
export function dnsRecordStatus(object: DnsRecord, view: View, refs: Refs): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  if (!part) return { state: stateOf(object, view, refs) };
  const { name } = part.contribution.config;
  const ids = view.parts.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return {
    state: stateOf(object, view, refs),
    zoneId: part.contribution.syncState.zoneId,
    fqdn: part.outputs['name'] ?? name,
    ...(part.id !== undefined && { recordId: part.id }),
    ...sourceFields(object, view, refs),
    managedRecordIds: ids.length > 1 || object.spec.sourceRef ? ids : undefined,
  };
}

function stateOf({ metadata, spec }: DnsRecord, view: View, refs: Refs): string {
  if (isOrphaned({ metadata, spec }, refs) && view.state === 'Synced') return 'Orphaned';
  return { Synced: 'Active', Pending: 'Pending', Error: 'Error' }[view.losses.length > 0 ? 'Error' : view.state];
}

/** A record that outlives its source is as it should be; that the source is gone is still worth a word. */
export function orphanedVerdict(object: DnsRecord, _view: View, refs: Refs): Partial<View['ready']> | undefined {
  if (!isOrphaned(object, refs)) return undefined;
  return {
    reason: 'SourceDeleted',
    message: 'in step with what the source said last: it is gone, and the record stays',
  };
}

function isOrphaned({ metadata, spec }: Pick<DnsRecord, 'metadata' | 'spec'>, refs: Refs): boolean {
  if (!spec.sourceRef || metadata.deletionTimestamp) return false;
  return sourceAddresses(refs, spec.sourceRef, metadata.namespace ?? '').addresses === undefined;
}

function sourceFields(
  { metadata, spec, status }: DnsRecord,
  view: View,
  refs: Refs,
): Readonly<Record<string, unknown>> {
  const configs = view.parts.map(({ contribution: { config } }) => config);
  if (!spec.sourceRef) return none;
  const source = sourceAddresses(refs, spec.sourceRef, metadata.namespace ?? '');
  const resolved = {
    resolvedType: String(configs[0]?.['type']),
    resolvedContent: configs.map(({ content }) => String(content)).join(','),
  };
  const addresses = source.addresses ?? status?.resolvedAddresses ?? [];
  const isNews = resolved.resolvedContent !== status?.resolvedContent || resolved.resolvedType !== status.resolvedType;
  // A node changes every few seconds; only a change of what we take from it is worth a write.
  const version = isNews && source.addresses ? source.resourceVersion : status?.sourceResourceVersion;
  return {
    ...resolved,
    resolvedAddresses: [...addresses],
    ...(version !== undefined && { sourceResourceVersion: version }),
  };
}

const none: Partial<Record<keyof Status, undefined>> = {
  resolvedType: undefined,
  resolvedContent: undefined,
  resolvedAddresses: undefined,
  sourceResourceVersion: undefined,
};
