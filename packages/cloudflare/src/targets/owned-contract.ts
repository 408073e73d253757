import { z } from 'zod';

/** An object of an account is known by the object that wants it, so that another name is a change and not another one. */
export type OwnedKey = { readonly accountId: string; readonly owner: string };

/** What is wanted of it, in the words of the API; the mark is added to the description. */
export const ownedConfig = z.object({
  name: z.string(),
  description: z.string().optional(),
  body: z.record(z.string(), z.unknown()),
  adopt: z.boolean().optional(),
});

export type OwnedConfig = z.output<typeof ownedConfig>;

export const ownedBy = {
  sources: 'one',
  config: ownedConfig,
  readable: ({ owner }: OwnedKey): string => owner,
  cloudflareId: ({ owner }: OwnedKey): string => owner,
} as const;
