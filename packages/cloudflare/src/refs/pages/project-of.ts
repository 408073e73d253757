import { z } from 'zod';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { pagesProjectKind } from '../../kinds/pages-project/resource.ts';
import type { PagesProject } from '../../kinds/pages-project/resource.ts';
import type { CloudflareDetails } from '../cloudflare-details.ts';
import { credentialsOf } from '../credentials-of.ts';
import type { Account } from '../credentials-of.ts';

const words = z.string().optional();

export const projectRef = z
  .object({
    name: words.describe('A PagesProject beside this object'),
    cloudflareId: words.describe('The name of a project at Cloudflare; comes before the others'),
    cloudflareName: words.describe('The same; comes before `name`'),
  })
  .describe('The project, by one of these');

export type ProjectPlace = Account & {
  readonly project: string;
  /** Where Cloudflare serves it. */
  readonly subdomain: string;
};

type Asking = {
  readonly metadata: { readonly namespace?: string };
  readonly spec: { readonly projectRef: z.output<typeof projectRef>; readonly cloudflare: CloudflareDetails };
};

/** The project that an object is about, and the account that it is in. One that is an object of the cluster is waited for. */
export function projectOf(refs: Refs, { metadata, spec }: Asking): Resolution<ProjectPlace> {
  const { namespace } = metadata;
  const { cloudflareId, cloudflareName, name } = spec.projectRef;
  const known = cloudflareId || cloudflareName;
  if (known) return placed(credentialsOf(refs, spec.cloudflare, namespace), known, `${known}.pages.dev`);
  if (!name) return failed('broken', 'InvalidConfig', 'spec.projectRef: one of name, cloudflareId, cloudflareName');
  const object = refs.get(pagesProjectKind, { namespace: namespace ?? '', name });
  if (!object) return failed('broken', 'ProjectNotFound', `spec.projectRef: PagesProject ${name} is not there`);
  const { projectId, subdomain } = object.status ?? {};
  if (!projectId) return failed('waiting', 'DependencyError', `PagesProject ${name} is not ready yet`);
  return placed(credentialsOf(refs, detailsOf(spec.cloudflare, object), namespace), projectId, subdomain ?? '');
}

/** An object that says nothing of its account is where its project is. */
function detailsOf(own: CloudflareDetails, { spec }: PagesProject): CloudflareDetails {
  return own.credentialsRef?.name || own.secret || own.accountId ? own : spec.cloudflare;
}

function placed(account: Resolution<Account>, project: string, subdomain: string): Resolution<ProjectPlace> {
  return account.ok ? { ok: true, value: { ...account.value, project, subdomain } } : account;
}

function failed(state: 'waiting' | 'broken', reason: string, message: string): Resolution<never> {
  return { ok: false, state, reason, message };
}
