import { z } from 'zod';
import { defineNamespacedKind } from '../../refs/cloudflare-kind.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { deletionPolicy, pagesStatus } from '../../refs/pages/pages-shape.ts';
import { projectRef } from '../../refs/pages/project-of.ts';

const text = z.string();
const words = text.optional();

const spec = z.object({
  domain: text.regex(/^[a-zA-Z0-9][a-zA-Z0-9-.]*[a-zA-Z0-9]$/).describe('The host at which the project is served'),
  projectRef,
  cloudflare: cloudflareDetails,
  autoConfigureDNS: z
    .boolean()
    .default(true)
    .describe('A CNAME record leads the host to the project, where its zone is in this account'),
  zoneID: words.describe('The zone of the host; Cloudflare tells it when absent'),
  deletionPolicy,
});

const status = z.object({
  domainId: words,
  projectName: words,
  zoneId: words,
  status: words,
  validationMethod: words,
  validationStatus: words,
  certificateAuthority: words,
  verificationData: z.object({ recordType: words, recordName: words, recordValue: words }).optional(),
  state: z.enum(['Pending', 'Verifying', 'Active', 'Moved', 'Deleting', 'Error']).optional(),
  ...pagesStatus,
});

export const pagesDomainKind = defineNamespacedKind('PagesDomain', ['cfpdom', 'pagesdomain'], {
  spec,
  status,
  columns: { Domain: '.spec.domain', Project: '.status.projectName', Status: '.status.status', State: '.status.state' },
});

export type PagesDomain = NonNullable<(typeof pagesDomainKind)['objectType']>;
