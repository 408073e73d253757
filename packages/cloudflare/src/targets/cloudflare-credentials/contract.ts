import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

/** A CloudflareCredentials by its name; or a Secret that an object names itself, and an account that it knows by name only. */
export type CredentialsKey =
  | { readonly name: string }
  | { readonly name: string; readonly entries: string; readonly accountName: string };

const config = z.union([
  z.object({ accountId: z.string(), authType: z.enum(['apiToken', 'globalAPIKey']) }),
  z.object({ accountName: z.string() }),
]);

export type CredentialsConfig = z.output<typeof config>;

/** Nothing is made at Cloudflare: the credentials are tried, and name or id of their account is asked for. */
export const cloudflareCredentialsContract = defineContract<CredentialsKey, CredentialsConfig>({
  type: 'CloudflareCredentials',
  sources: 'one',
  config,
  readable: (key) => ('accountName' in key ? key.accountName : key.name),
  cloudflareId: (key) => ('accountName' in key ? `${key.name}#${key.accountName}` : key.name),
});
