import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

const text = z.string();

const config = z.object({
  name: text,
  duration: text,
  /** Where the client id and the secret are kept. */
  secret: z.object({ namespace: text, name: text, clientIdKey: text, clientSecretKey: text }),
  adopt: z.boolean().optional(),
});

export type AccessServiceTokenKey = { readonly accountId: string; readonly owner: string };
export type AccessServiceTokenConfig = z.output<typeof config>;

/** Outputs: `clientId`, `expiresAt`, `createdAt`, `updatedAt`, `lastSeenAt` (the day), `secretVersion`. */
export const accessServiceTokenContract = defineContract<AccessServiceTokenKey, AccessServiceTokenConfig>({
  type: 'AccessServiceToken',
  sources: 'one',
  config,
  readable: ({ owner }) => owner,
  cloudflareId: ({ owner }) => owner,
});
