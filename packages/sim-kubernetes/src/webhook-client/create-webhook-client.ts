import type { Clock } from '@tributary/runtime/clock';
import type { JsonObject } from '../registry/json.ts';
import { goQuote } from '../schema/go-format.ts';
import { goJsonError } from '../schema/go-json-error.ts';
import { isRecord } from '../schema/schema-walk.ts';
import { replyError } from './reply-error.ts';
import { TransportError } from './webhook-transport.ts';
import type { WebhookAddress, WebhookTransport } from './webhook-transport.ts';

/** Where a webhook is, as its configuration says. */
export type WebhookTarget = {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in base64. */
  readonly caBundle?: string;
};

export type WebhookCall = {
  readonly timeoutSeconds: number;
  readonly userAgent: string;
  /** What an answer may be: as in `admission.k8s.io/v1 AdmissionReview`. */
  readonly reviews: readonly string[];
};

export type WebhookClient = {
  /** Posts a review and gives back the one that was answered; rejects with a TransportError. */
  readonly post: (target: WebhookTarget, review: JsonObject, call: WebhookCall) => Promise<JsonObject>;
};

/** Where the endpoint of a Service is; throws a TransportError when there is none. */
export type ResolveService = (namespace: string, name: string, port: number) => WebhookAddress;

export type WebhookClientDeps = {
  readonly transport: WebhookTransport;
  readonly resolveService: ResolveService;
  readonly clock: Pick<Clock, 'after'>;
};

/** Calls webhooks as kube-apiserver does: by URL or by Service, with the authority that their configuration names. */
export function createWebhookClient({ transport, resolveService, clock }: WebhookClientDeps): WebhookClient {
  return {
    post: async (target, review, { timeoutSeconds, userAgent, reviews }) => {
      const url = `${urlOf(target)}?timeout=${timeoutSeconds}s`;
      const overdue = new AbortController();
      const cancel = clock.after(timeoutSeconds * 1000, () => overdue.abort());
      const { service, caBundle } = target;
      try {
        const reply = await transport({
          url,
          connectTo: service && resolveService(service.namespace, service.name, service.port ?? 443),
          ca: caBundle === undefined ? undefined : Buffer.from(caBundle, 'base64').toString(),
          userAgent,
          body: JSON.stringify(review),
          signal: overdue.signal,
        });
        const refused = replyError(reply);
        if (refused !== undefined) throw new Unusable(refused);
        return checkKind(await readReview(reply.body), reviews);
      } catch (error) {
        if (error instanceof Unusable) throw new TransportError(error.message);
        const text = error instanceof Error ? error.message : String(error);
        throw new TransportError(`Post ${goQuote(url)}: ${text}`, { cause: error });
      } finally {
        cancel();
      }
    },
  };
}

/** The webhook did answer: what is wrong with the answer stands without the address. */
class Unusable extends Error {}

function urlOf({ url = '', service }: WebhookTarget): string {
  if (service !== undefined) {
    const { name, namespace, port = 443, path = '' } = service;
    return `https://${name}.${namespace}.svc:${port}${path === '' ? '/' : path}`;
  }
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function checkKind(review: JsonObject, reviews: readonly string[]): JsonObject {
  const { kind = '', apiVersion = '' } = review as { readonly kind?: string; readonly apiVersion?: string };
  if ((kind === '' && apiVersion === '') || reviews.includes(`${apiVersion} ${kind}`)) return review;
  throw new Unusable(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/** The server reads YAML too, of which JSON is a part. */
async function readReview(body: string): Promise<JsonObject> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    parsed = await readYaml(body);
  }
  if (isRecord(parsed)) return parsed as JsonObject;
  const found = Array.isArray(parsed) ? 'array' : typeof parsed === 'boolean' ? 'bool' : typeof parsed;
  const into = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
  throw new Unusable(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${into}`,
  );
}

/** Loaded by the first answer that needs it. */
async function readYaml(body: string): Promise<unknown> {
  const { parseYaml } = await import('@tributary/runtime/yaml');
  try {
    return parseYaml(body);
  } catch {
    throw new Unusable(`couldn't get version/kind; json parse error: ${goJsonError(body) ?? 'invalid character'}`);
  }
}
