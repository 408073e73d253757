import { ApiError } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, Json, JsonObject } from '../registry/json.ts';
import { goQuote } from '../schema/go-format.ts';
import { isRecord } from '../schema/schema-walk.ts';
import type { WebhookClient } from '../webhook-client/create-webhook-client.ts';
import { restoreMetadata } from './restore-metadata.ts';
import type { CrdConversion } from './crd-object.ts';

export type ConversionDeps = { readonly client: WebhookClient; readonly uuid: () => string };

/** Brings objects to a version by asking the conversion webhook of their CRD. */
export type AskConversion = (objects: readonly JsonObject[], toApiVersion: string) => Promise<readonly JsonObject[]>;

const reviews = ['apiextensions.k8s.io/v1 ConversionReview', 'apiextensions.k8s.io/v1beta1 ConversionReview'];

/** A converter by webhook. What the webhook does wrong is said as kube-apiserver says it, with status 500. */
export function createConversionAsker(conversion: CrdConversion, { client, uuid }: ConversionDeps): AskConversion {
  const { clientConfig = {}, conversionReviewVersions = [] } = conversion.webhook ?? {};
  const version = conversionReviewVersions.find((name) => name === 'v1' || name === 'v1beta1');
  const one = async (object: JsonObject, toApiVersion: string): Promise<JsonObject> => {
    if (version === undefined) throw failure('no supported conversion review versions');
    const uid = uuid();
    const review = {
      kind: 'ConversionReview',
      apiVersion: `apiextensions.k8s.io/${version}`,
      request: { uid, desiredAPIVersion: toApiVersion, objects: [object] },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    };
    const title = `conversion webhook for ${kindOf(object)}`;
    let answer: JsonObject;
    try {
      const call = { timeoutSeconds: 30, userAgent: 'kube-apiserver', reviews };
      answer = await client.post(clientConfig, review, call);
    } catch (error) {
      throw failure(`${title} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    const converted = convertedObjects(answer, uid, version, title);
    if (converted.length !== 1) throw failure(`${title} returned ${converted.length} objects, expected 1`);
    return checked(object, converted[0], toApiVersion, title);
  };
  // The server reads objects one by one, and so the webhook is asked about them.
  return (objects, toApiVersion) => Promise.all(objects.map((object) => one(object, toApiVersion)));
}

function failure(message: string): ApiError {
  return new ApiError(500, '', message);
}

/** As in `example.com/v1, Kind=River`. */
function kindOf({ apiVersion, kind }: JsonObject): string {
  return `${apiVersion as string}, Kind=${kind as string}`;
}

type Response = {
  readonly uid?: string;
  readonly result?: { readonly status?: string; readonly message?: string };
  readonly convertedObjects?: readonly Json[] | null;
};

function convertedObjects(answer: JsonObject, uid: string, version: string, title: string): readonly Json[] {
  const response = answer['response'] as Response | null | undefined;
  const { kind = '', apiVersion = '' } = answer as { readonly kind?: string; readonly apiVersion?: string };
  if (version === 'v1' && `${apiVersion} ${kind}` !== reviews[0]) {
    const got = `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
    throw failure(
      `${title} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got ${got}`,
    );
  }
  if (response === undefined || response === null) throw failure(`${title} failed: no response provided`);
  if (version === 'v1' && (response.uid ?? '') !== uid) {
    throw failure(`${title} failed: expected response.uid=${goQuote(uid)}, got ${goQuote(response.uid ?? '')}`);
  }
  const { status = '', message = '' } = response.result ?? {};
  if (status !== 'Success') {
    throw failure(
      `${title} failed: ${message === '' ? `response.result.status was '${status}', not 'Success'` : message}`,
    );
  }
  return response.convertedObjects ?? [];
}

function checked(original: JsonObject, converted: Json | undefined, toApiVersion: string, title: string): JsonObject {
  if (!isRecord(converted)) throw failure("Object 'Kind' is missing in 'null'");
  const draft = cloneJson(converted) as Draft;
  const { apiVersion = '', kind = '' } = draft as { readonly apiVersion?: string; readonly kind?: string };
  if (kind === '') throw failure(`Object 'Kind' is missing in '${JSON.stringify(converted)}'`);
  if (apiVersion !== toApiVersion) {
    const wrong = `invalid groupVersion (expected ${toApiVersion}, received ${apiVersion})`;
    throw failure(`${title} returned invalid object at index 0: ${wrong}`);
  }
  if (kind !== original['kind']) {
    const wrong = `invalid kind (expected ${original['kind'] as string}, received ${kind})`;
    throw failure(`${title} returned invalid object at index 0: ${wrong}`);
  }
  const problem = identityProblem(original['metadata'], draft['metadata']);
  if (problem !== undefined) throw failure(`${title} returned invalid object: ${problem}`);
  const restored = restoreMetadata(original['metadata'] as JsonObject | undefined, draft['metadata']);
  if (typeof restored === 'string') throw failure(`${title} returned invalid metadata: ${restored}`);
  return { ...draft, metadata: restored };
}

/** What makes an object the one it is may not be converted. */
function identityProblem(before: unknown, after: unknown): string | undefined {
  for (const [name, word] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [expected, found] = [textOf(before, name), textOf(after, name)];
    if (expected !== found) return `must have the same ${word}: ${expected} != ${found}`;
  }
  return undefined;
}

function textOf(metadata: unknown, name: string): string {
  const value = isRecord(metadata) ? metadata[name] : undefined;
  return typeof value === 'string' ? value : '';
}
