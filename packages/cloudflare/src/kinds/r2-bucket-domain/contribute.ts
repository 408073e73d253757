import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { bucketOf } from '../../refs/r2/bucket-of.ts';
import type { BucketPlace } from '../../refs/r2/bucket-of.ts';
import { r2BucketDomainContract } from '../../targets/r2-bucket-domain/contract.ts';
import { r2BucketDomainKind } from './resource.ts';
import type { R2BucketDomain } from './resource.ts';

export const r2BucketDomainContributor = defineContributor<R2BucketDomain, BucketPlace>({
  kind: r2BucketDomainKind,
  finalizer: 'r2bucketdomain.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/r2-bucket-domain-finalizer'],
  resolve: ({ metadata, spec }, refs) => bucketOf(refs, spec, metadata.namespace),
  contribute: ({ metadata, spec }, { accountId, credentials, jurisdiction }) => {
    const key = { accountId, jurisdiction, bucket: spec.bucketName, domain: spec.domain.toLowerCase() };
    const config = {
      ...(spec.zoneId && { zoneId: spec.zoneId }),
      minTls: spec.minTls,
      enabled: spec.enablePublicAccess,
      ...adoptWish(metadata),
    };
    return [contribution(r2BucketDomainContract, key, config, { credentials })];
  },
  verdict: (object, view) => {
    const { ownership = '', ssl = '' } = view.parts[0]?.outputs ?? {};
    const state = progressOf(object, view);
    if (state === 'Active') return undefined;
    const message = `ownership of the domain is ${ownership || 'pending'}, its certificate ${ssl || 'pending'}`;
    return { status: 'False', reason: state === 'Error' ? 'DomainFailed' : 'Initializing', message };
  },
  status: toStatus,
  ready: { synced: 'Synced', pending: 'Pending', failed: 'ReconcileError' },
});

const failures = new Set(['deactivated', 'blocked', 'error']);

/** How far Cloudflare has come with what it was told. A domain that is switched off is as far as it will be. */
function progressOf({ spec }: R2BucketDomain, { parts }: View): 'Active' | 'Initializing' | 'Error' {
  const { ownership = '', ssl = '' } = parts[0]?.outputs ?? {};
  if (!spec.enablePublicAccess || (ownership === 'active' && ssl === 'active')) return 'Active';
  return failures.has(ownership) || failures.has(ssl) ? 'Error' : 'Initializing';
}

function toStatus(object: R2BucketDomain, view: View): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  const { zoneId, enabled, minTls } = part?.outputs ?? {};
  const domain = object.spec.domain.toLowerCase();
  return {
    state: stateOf(object, view),
    message: view.ready.message,
    ...(part?.synced && {
      domainId: domain,
      ...(zoneId && { zoneId }),
      enabled: enabled === 'true',
      publicAccessEnabled: enabled === 'true' && progressOf(object, view) === 'Active',
      minTls,
      url: `https://${domain}`,
    }),
  };
}

function stateOf(object: R2BucketDomain, view: View): string {
  if (view.state === 'Error' || view.losses.length > 0) return 'Error';
  if (view.state === 'Synced') return progressOf(object, view);
  return view.parts.length > 0 ? 'Initializing' : 'Pending';
}
