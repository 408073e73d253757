import type { Clock } from '@tributary/runtime/clock';
import type { Authorizer } from '../../auth/authorizer.ts';
import type { AdmissionPlugin } from '../../registry/admission.ts';
import type { Registry } from '../../registry/registry.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { createWebhookClient } from '../../webhook-client/create-webhook-client.ts';
import type { ResolveService, WebhookClient } from '../../webhook-client/create-webhook-client.ts';
import { postOverHttps } from '../../webhook-client/https-transport.ts';
import { serviceResolver } from '../../webhook-client/resolve-service.ts';
import type { WebhookTransport } from '../../webhook-client/webhook-transport.ts';
import { createMutatingWebhooks } from './mutating-webhooks.ts';
import { createValidatingWebhooks } from './validating-webhooks.ts';

/** How webhooks are reached, where it is not as usual. */
export type WebhookReach = {
  readonly webhookTransport?: WebhookTransport;
  readonly resolveService?: ResolveService;
};

type Server = { readonly hooks: HookContext; readonly clock: Clock };

/** The two plugins that ask the webhooks of the cluster. */
export function webhookAdmission(
  server: Server & { readonly registry: Registry; readonly authorizer: Authorizer },
  reach: WebhookReach,
): readonly AdmissionPlugin[] {
  const { registry, authorizer, hooks } = server;
  const deps = { client: webhookClientOf(server, reach), uuid: hooks.uuid, registry, authorizer };
  return [createMutatingWebhooks(deps), createValidatingWebhooks(deps)];
}

export function webhookClientOf({ hooks, clock }: Server, reach: WebhookReach): WebhookClient {
  return createWebhookClient({
    transport: reach.webhookTransport ?? postOverHttps,
    resolveService: reach.resolveService ?? serviceResolver(hooks),
    clock,
  });
}
