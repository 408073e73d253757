import { z } from 'zod';
import { defineContract } from '../../engine/l4-state/contract.ts';

export { toRulePath } from './ingress-path.ts';

/**
 * The options of a connection to an origin, named and measured as the API does: durations are whole seconds. Which ones
 * there are is for the kinds to know; here they pass as they are.
 */
const originRequest = z.record(z.string(), z.unknown());

const rule = z.object({
  hostname: z.string().optional(),
  /** A Go regular expression, not anchored. */
  path: z.string().optional(),
  service: z.string().min(1),
  originRequest: originRequest.optional(),
});

const config = z.object({
  warpRouting: z.object({ enabled: z.boolean() }).optional(),
  fallbackTarget: z.string().optional(),
  globalOriginRequest: originRequest.optional(),
  rules: z.array(rule).optional(),
});

export type TunnelConfigurationKey = { readonly accountId: string; readonly tunnelId: string };
export type TunnelConfigurationConfig = z.output<typeof config>;
export type TunnelConfigurationRule = z.output<typeof rule>;

/** What a tunnel answers when nobody has said anything about it, so a wish for it is no opinion. */
export const defaultFallback = 'http_status:404';

export const tunnelConfigurationContract = defineContract<TunnelConfigurationKey, TunnelConfigurationConfig>({
  type: 'TunnelConfiguration',
  noun: 'tunnel',
  sources: 'many',
  config,
  readable: ({ tunnelId }) => tunnelId,
  cloudflareId: ({ tunnelId }) => tunnelId,
  finalizer: 'tunnelconfig',
  labels: ({ tunnelId }) => ({ 'cloudflare-operator.io/tunnel-id': tunnelId }),
});
