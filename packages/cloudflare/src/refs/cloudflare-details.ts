import { z } from 'zod';

const text = z.string();

/** `spec.cloudflare`: whose account an object is about and with which credentials. No field is required. */
export const cloudflareDetails = z.object({
  credentialsRef: z
    .object({ name: text.describe('The name of a CloudflareCredentials') })
    .optional()
    .describe('The credentials to use; without them and without a secret, those marked as default'),
  domain: text.optional().describe('The domain, and so the zone; comes before the default of the credentials'),
  zoneId: text.optional().describe('The zone by its id: nothing is looked up then'),
  secret: text.optional().describe('Older form: a Secret with an API token or key, without a CloudflareCredentials'),
  accountName: text.optional().describe('With a secret and without accountId: the account by its name'),
  accountId: text.optional().describe('Comes before the account of the credentials'),
  email: text.optional().describe('Older form: the email that goes with a global API key'),
  CLOUDFLARE_API_KEY: text.optional().describe('The entry of the Secret that holds the global API key'),
  CLOUDFLARE_API_TOKEN: text.optional().describe('The entry of the Secret that holds the API token'),
  CLOUDFLARE_TUNNEL_CREDENTIAL_FILE: text.optional(),
  CLOUDFLARE_TUNNEL_CREDENTIAL_SECRET: text.optional(),
});

export type CloudflareDetails = z.output<typeof cloudflareDetails>;
