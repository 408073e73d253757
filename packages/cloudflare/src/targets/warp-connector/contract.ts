import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

const text = z.string();

const config = z.object({
  name: text,
  /** Where the run token goes. */
  secret: z.object({
    namespace: text,
    name: text,
    owner: z.object({ apiVersion: text, kind: text, name: text, uid: text }),
  }),
  adopt: z.boolean().optional(),
});

export type WarpConnectorKey = { readonly accountId: string; readonly name: string };
export type WarpConnectorConfig = z.output<typeof config>;

/** Outputs: `connectorId`, and `tokenHash` so that whoever runs the connector sees its token change. */
export const warpConnectorContract = defineContract<WarpConnectorKey, WarpConnectorConfig>({
  type: 'WARPConnector',
  sources: 'one',
  config,
  readable: ({ name }) => name,
  cloudflareId: ({ name }) => name,
});
