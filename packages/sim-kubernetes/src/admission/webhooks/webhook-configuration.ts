import type { JsonObject } from '../../registry/json.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import type { WebhookTarget } from '../../webhook-client/create-webhook-client.ts';

// The kinds that say which webhooks there are, as far as the server reads them. Defaults were filled when they were stored.

export const webhookGroup = 'admissionregistration.k8s.io';

const plurals = {
  mutating: 'mutatingwebhookconfigurations',
  validating: 'validatingwebhookconfigurations',
} as const;

export type WebhookRule = {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Of policies alone: only objects of these names. */
  readonly resourceNames?: readonly string[];
};

export type MatchCondition = { readonly name?: string; readonly expression?: string };

export type Webhook = {
  readonly name: string;
  readonly clientConfig: WebhookTarget;
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: JsonObject;
  readonly objectSelector?: JsonObject;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
};

/** A webhook with a name that is its own within the cluster. */
export type ConfiguredWebhook = { readonly id: string; readonly configuration: string; readonly hook: Webhook };

/** All webhooks of a kind in the order of their calls: by the name of the configuration, then as they stand in it. */
export function configuredWebhooks({ list }: HookContext, kind: keyof typeof plurals): readonly ConfiguredWebhook[] {
  const configurations = list(webhookGroup, plurals[kind]);
  if (configurations.length === 0) return [];
  return configurations
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .flatMap((configuration) => {
      const hooks = (configuration['webhooks'] ?? []) as unknown as readonly Webhook[];
      const { name } = configuration.metadata;
      return hooks.map((hook, index) => ({ id: `${name}/${hook.name}/${index}`, configuration: name, hook }));
    });
}
