import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

const text = z.string();

const config = z.object({
  /** `create` makes the tunnel when there is none of that name; `use` needs it to be there. */
  action: z.enum(['create', 'use']),
  tunnelName: text.optional(),
  tunnelId: text.optional(),
  /** May be taken over although we did not make it. */
  adopt: z.boolean().optional(),
  /** Where the run token goes, and with it the credentials file as older manifests mount it. */
  secrets: z.object({
    namespace: text,
    token: text,
    credentials: text.optional(),
    owner: z.object({ apiVersion: text, kind: text, name: text, uid: text }),
  }),
});

/** By name, or by id for a tunnel that is named by its id. */
export type TunnelLifecycleKey =
  | { readonly accountId: string; readonly name: string }
  | { readonly accountId: string; readonly tunnelId: string };
export type TunnelLifecycleConfig = z.output<typeof config>;

/** Layer 5 tells the hash of the run token, so that whoever runs the tunnel sees when it changes. */
export const tokenHashOutput = 'tokenHash';

export const tunnelLifecycleContract = defineContract<TunnelLifecycleKey, TunnelLifecycleConfig>({
  type: 'TunnelLifecycle',
  noun: 'tunnel',
  sources: 'many',
  config,
  readable: readableKey,
  cloudflareId: readableKey,
});

function readableKey(key: TunnelLifecycleKey): string {
  return 'name' in key ? key.name : key.tunnelId;
}
