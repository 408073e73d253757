import { finalizersOf } from '../../refs/cloudflare-kind.ts';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Part, Refs, Resolution, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { adoptWish } from '../../refs/adopt-wish.ts';
import { pagesStatusOf, pagesWords } from '../../refs/pages/pages-shape.ts';
import { projectOf } from '../../refs/pages/project-of.ts';
import type { ProjectPlace } from '../../refs/pages/project-of.ts';
import { dnsRecordContract } from '../../targets/dns-record/contract.ts';
import { pagesDomainContract } from '../../targets/pages-domain/contract.ts';
import { pagesDomainKind } from './resource.ts';
import type { PagesDomain } from './resource.ts';

/** Without a zone there is no record to make. */
type Resolved = ProjectPlace & { readonly zoneId: string };

export const pagesDomainContributor = defineContributor<PagesDomain, Resolved>({
  kind: pagesDomainKind,
  ...finalizersOf('pagesdomain'),
  resolve,
  contribute: (object, resolved) => [
    attached(object, resolved),
    ...(object.spec.autoConfigureDNS && resolved.zoneId ? [led(object, resolved)] : []),
  ],
  deletionPolicy: ({ spec }) => spec.deletionPolicy,
  whileDeleting: { state: 'Deleting' },
  verdict: (_object, { parts }) => {
    const { status = '', problem, validation = '' } = parts[0]?.outputs ?? {};
    if (status === 'active') return undefined;
    const message = `the domain is ${status}, its validation ${validation || 'pending'}${problem ? `: ${problem}` : ''}`;
    return { status: 'False', reason: failures.has(status) ? 'DomainFailed' : 'Verifying', message };
  },
  status: toStatus,
  ready: pagesWords,
});

const failures = new Set(['deactivated', 'blocked', 'error']);

/**
 * The zone is the one that the object names, or that Cloudflare told when it was given the host. What was told once is
 * in the status too, so that the record stays while it is told again.
 */
function resolve(object: PagesDomain, refs: Refs): Resolution<Resolved> {
  const place = projectOf(refs, object);
  if (!place.ok) return place;
  const { name } = attached(object, place.value).syncState;
  const told = refs.syncState(name)?.status?.resultData?.['zoneId'] || object.status?.zoneId;
  return { ok: true, value: { ...place.value, zoneId: object.spec.zoneID || told || '' } };
}

function attached({ metadata, spec }: PagesDomain, { accountId, credentials, project }: ProjectPlace): Contribution {
  const key = { accountId, project, domain: spec.domain.toLowerCase() };
  return contribution(pagesDomainContract, key, adoptWish(metadata), { credentials });
}

function led({ metadata, spec }: PagesDomain, { accountId, credentials, subdomain, zoneId }: Resolved): Contribution {
  const owner = sourceId({ kind: 'PagesDomain', namespace: metadata.namespace, name: metadata.name ?? '' });
  const config = {
    name: spec.domain.toLowerCase(),
    type: 'CNAME',
    content: subdomain,
    ttl: 1,
    proxied: true,
    ...adoptWish(metadata),
  };
  return contribution(dnsRecordContract, { accountId, zoneId, owner, record: '' }, config, { credentials });
}

function toStatus(object: PagesDomain, view: View): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  return {
    ...pagesStatusOf(view),
    state: stateOf(view),
    ...(part && { projectName: part.contribution.syncState.key['project'] }),
    ...(part?.synced && domainStatus(object, part)),
  };
}

function domainStatus({ spec }: PagesDomain, { outputs }: Part): Readonly<Record<string, unknown>> {
  const { domainId, status, zoneId, authority, method, validation, txtName, txtValue } = outputs;
  return {
    domainId,
    status,
    ...((spec.zoneID || zoneId) && { zoneId: spec.zoneID || zoneId }),
    certificateAuthority: authority,
    validationMethod: method,
    validationStatus: validation,
    ...(txtName && { verificationData: { recordType: 'TXT', recordName: txtName, recordValue: txtValue } }),
  };
}

function stateOf({ state, losses, parts }: View): string {
  const { status = '' } = parts[0]?.outputs ?? {};
  if (state === 'Error' || losses.length > 0 || failures.has(status)) return 'Error';
  if (state === 'Synced' && status === 'active') return 'Active';
  return parts[0]?.id ? 'Verifying' : 'Pending';
}
