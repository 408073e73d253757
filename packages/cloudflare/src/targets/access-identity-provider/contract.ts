import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';
import { secretUse } from '../../engine/l4-state/secret-use.ts';

const text = z.string();
const fields = z.record(text, z.unknown());

const config = z.object({
  name: text,
  /** As the API has them, without the secrets. */
  config: fields.optional(),
  scimConfig: fields.optional(),
  secrets: secretUse.optional(),
  adopt: z.boolean().optional(),
});

/** The type is part of the key: Cloudflare never changes it, so another type is another provider. */
export type AccessIdentityProviderKey =
  | { readonly accountId: string; readonly owner: string; readonly type: string }
  | { readonly accountId: string; readonly name: string; readonly lookup: 'true' };
export type AccessIdentityProviderConfig = z.output<typeof config>;

export const accessIdentityProviderContract = defineContract<AccessIdentityProviderKey, AccessIdentityProviderConfig>({
  type: 'AccessIdentityProvider',
  sources: 'one',
  config,
  readable: (key) => ('owner' in key ? key.owner : `lookup-${key.name}`),
  cloudflareId: (key) => ('owner' in key ? key.owner : key.name),
});
