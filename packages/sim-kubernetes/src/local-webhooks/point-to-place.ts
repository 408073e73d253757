import type { JsonObject } from '../registry/json.ts';
import type { WebhookTarget } from '../webhook-client/create-webhook-client.ts';

/** Where webhooks are, and the authority of their certificate as PEM in base64. */
export type WebhookPlace = { readonly url: string; readonly caBundle: string | undefined };

const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

export function isWebhookConfiguration({ kind }: JsonObject): boolean {
  return typeof kind === 'string' && kinds.includes(kind);
}

/** A manifest whose webhooks are asked at the given place instead of where it says; their paths stay. */
export function pointToPlace(object: JsonObject, place: WebhookPlace): JsonObject {
  if (isWebhookConfiguration(object)) {
    const hooks = (object['webhooks'] ?? []) as unknown as readonly { readonly clientConfig?: WebhookTarget }[];
    const webhooks = hooks.map((hook) => ({ ...hook, clientConfig: configOf(hook.clientConfig, place) }));
    return { ...object, webhooks };
  }
  const spec = (object['spec'] ?? {}) as {
    readonly conversion?: { readonly strategy?: string; readonly webhook?: { readonly clientConfig?: WebhookTarget } };
  };
  if (object['kind'] !== 'CustomResourceDefinition' || spec.conversion?.strategy !== 'Webhook') return object;
  const { webhook = {} } = spec.conversion;
  const pointed = { ...webhook, clientConfig: configOf(webhook.clientConfig, place) };
  return {
    ...object,
    spec: { ...spec, conversion: { ...spec.conversion, webhook: pointed } },
  };
}

function configOf(config: WebhookTarget = {}, { url, caBundle }: WebhookPlace): WebhookTarget {
  const path = config.service?.path ?? (config.url === undefined ? '' : new URL(config.url).pathname);
  return { url: `${url}${path}`, ...(caBundle === undefined ? {} : { caBundle }) };
}
