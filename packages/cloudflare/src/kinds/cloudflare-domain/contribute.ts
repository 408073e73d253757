import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { oldest } from '../../refs/oldest.ts';
import { cloudflareDomainContract } from '../../targets/cloudflare-domain/contract.ts';
import { cloudflareDomainKind } from './resource.ts';
import type { CloudflareDomain } from './resource.ts';
import { settingsBySection, toSettings, unsupportedFields } from './zone-settings.ts';
import type { Section } from './zone-settings.ts';

export const cloudflareDomainContributor = defineContributor<CloudflareDomain, Account>({
  kind: cloudflareDomainKind,
  finalizer: 'cloudflaredomain.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/domain-finalizer'],
  resolve: ({ spec: { credentialsRef } }, refs) => credentialsOf(refs, { credentialsRef }, undefined),
  contribute: ({ spec }, { accountId, credentials }) => {
    const { zoneId, priority } = spec;
    const settings = toSettings(spec);
    const config = { ...(zoneId && { zoneId }), ...(Object.keys(settings).length > 0 && { settings }) };
    const key = { accountId, domain: spec.domain.toLowerCase() };
    return [contribution(cloudflareDomainContract, key, config, { credentials, priority })];
  },
  verdict: (object, view, refs) => {
    const remarks = [...duplicateDefault(object, refs), ...unmetSettings(object, view)];
    return remarks.length > 0 ? { message: remarks.join('; ') } : undefined;
  },
  status: toStatus,
  ready: { synced: 'Verified', pending: 'Verifying', failed: 'Error' },
});

function toStatus(object: CloudflareDomain, view: View): Readonly<Record<string, unknown>> {
  const { outputs = {}, syncState } = view.parts[0] ?? {};
  const { zoneId, zoneName, accountId, zoneStatus, nameServers } = outputs;
  const state = { Synced: 'Ready', Error: 'Error', Pending: object.status?.state ?? 'Verifying' }[view.state];
  return {
    state,
    ...(zoneId && { zoneId, zoneName, accountId, zoneStatus, nameServers: nameServers?.split(',') }),
    ...(view.state === 'Synced' && { lastVerifiedTime: syncState?.status?.lastSyncTime }),
    message: view.ready.message,
    configSyncStatus: toSyncWords(object, view),
  };
}

/** One word for each section that the object has. */
function toSyncWords({ spec }: CloudflareDomain, view: View): Readonly<Record<string, unknown>> | undefined {
  const bySection = settingsBySection(spec);
  const unmet = new Set(unmetOf(view));
  const word = (section: Section): string => {
    if (view.state === 'Pending') return 'Syncing';
    const isUnmet = Object.keys(bySection[section]).some((name) => unmet.has(name));
    return view.state === 'Error' || isUnmet ? 'Error' : 'Synced';
  };
  const present = (['ssl', 'cache', 'security', 'performance'] as const).filter((section) => spec[section]);
  if (present.length === 0) return undefined;
  return {
    ...Object.fromEntries(present.map((section) => [section, word(section)])),
    lastSyncTime: view.parts[0]?.syncState?.status?.lastSyncTime,
    errorMessage: view.state === 'Error' || unmet.size > 0 ? view.ready.message : undefined,
  };
}

function unmetOf({ parts }: View): readonly string[] {
  return (parts[0]?.outputs['notEditable'] ?? '').split(',').filter((name) => name !== '');
}

function unmetSettings({ spec }: CloudflareDomain, view: View): readonly string[] {
  const own = toSettings(spec);
  const unmet = unmetOf(view).filter((name) => name in own);
  const unsupported = unsupportedFields(spec);
  return [
    ...(unmet.length > 0 ? [`the plan of the zone does not allow to set ${unmet.join(', ')}`] : []),
    ...(unsupported.length > 0 ? [`no zone setting does ${unsupported.join(', ')}`] : []),
  ];
}

function duplicateDefault({ spec, metadata }: CloudflareDomain, refs: Refs): readonly string[] {
  if (!spec.isDefault) return [];
  const first = oldest(refs.list(cloudflareDomainKind).filter((each) => each.spec.isDefault))?.metadata.name;
  if (first === undefined || first === metadata.name) return [];
  return [`spec.isDefault: CloudflareDomain ${first} is the default already`];
}
