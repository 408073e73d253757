import { timestamp } from '@tributary/runtime';
import { z } from 'zod';
import { defineClusterKind, observed } from '../../refs/cloudflare-kind.ts';

const text = z.string();
const domain = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9]\.[a-zA-Z]{2,}$/;

const configuration = z.object({
  autoRenew: z.boolean().default(true).describe('Renewed, and paid for, before it expires'),
  privacy: z.boolean().default(true).describe('Cloudflare lets nobody change it by the API: a difference is reported'),
  locked: z.boolean().default(true).describe('Cloudflare lets nobody change it by the API: a difference is reported'),
  nameServers: z.array(text).optional().describe('Cannot be set by the API of Cloudflare; reported'),
});

const registrantContact = z.object({
  firstName: text,
  lastName: text,
  organization: text.optional(),
  address: text,
  address2: text.optional(),
  city: text,
  state: text,
  zip: text,
  country: text.regex(/^[A-Z]{2}$/),
  phone: text,
  email: text,
  fax: text.optional(),
});

const spec = z.object({
  domainName: text.regex(domain).describe('A domain that is registered with Cloudflare already'),
  credentialsRef: z.object({ name: text }).optional().describe('The default ones when absent'),
  configuration: configuration.optional().describe('Only looked at when absent'),
  registrantContact: registrantContact.optional().describe('Cannot be set by the API of Cloudflare; reported'),
});

const status = z.object({
  state: z.enum(['Pending', 'Syncing', 'Active', 'TransferPending', 'Expired', 'Error']).optional(),
  domainId: text.optional(),
  accountId: text.optional(),
  currentRegistrar: text.optional(),
  registryStatuses: text.optional(),
  expiresAt: timestamp().optional(),
  createdAt: timestamp().optional(),
  autoRenew: z.boolean().optional(),
  privacy: z.boolean().optional(),
  locked: z.boolean().optional(),
  transferInStatus: text.optional(),
  message: text.optional(),
  ...observed,
});

export const domainRegistrationKind = defineClusterKind('DomainRegistration', ['cfdomreg', 'domainreg'], {
  spec,
  status,
  columns: {
    Domain: '.spec.domainName',
    Registrar: '.status.currentRegistrar',
    Expires: 'date .status.expiresAt',
    AutoRenew: 'boolean .status.autoRenew',
    State: '.status.state',
  },
});

export type DomainRegistration = NonNullable<(typeof domainRegistrationKind)['objectType']>;
