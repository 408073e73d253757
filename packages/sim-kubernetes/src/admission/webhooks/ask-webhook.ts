import type { Authorizer } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import { ApiError, badRequest, internalError } from '../../registry/api-error.ts';
import type { StatusDetails } from '../../registry/api-error.ts';
import type { JsonObject } from '../../registry/json.ts';
import type { Registry } from '../../registry/registry.ts';
import { goQuote } from '../../schema/go-format.ts';
import type { WebhookClient } from '../../webhook-client/create-webhook-client.ts';
import { InvalidReview, readVerdict, reviewVersion, toReview } from './admission-review.ts';
import type { AdmissionVerdict, Asked } from './admission-review.ts';
import type { RequestView } from './request-view.ts';
import type { Webhook } from './webhook-configuration.ts';

export type WebhookDeps = {
  readonly client: WebhookClient;
  readonly uuid: () => string;
  readonly registry: Registry;
  /** Whom conditions may ask what somebody may do. */
  readonly authorizer: Authorizer;
};

/** The webhook could not be asked, or its answer not be used: the failure policy decides what that means. */
export class FailedCall extends Error {
  constructor(hook: Webhook, reason: string) {
    super(`failed calling webhook ${goQuote(hook.name)}: ${reason}`);
  }
}

const defaultTimeoutSeconds = 10;

/** Asks one webhook. A refusal is thrown as what the caller is told; a call that failed as a FailedCall. */
export async function askWebhook(
  { client, uuid }: Pick<WebhookDeps, 'client' | 'uuid'>,
  hook: Webhook,
  attributes: AdmissionAttributes,
  view: RequestView,
  mutating: boolean,
): Promise<AdmissionVerdict> {
  if (attributes.dryRun && hook.sideEffects !== 'None' && hook.sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook ${goQuote(hook.name)} does not support dry run`);
  }
  const version = reviewVersion(hook.admissionReviewVersions);
  if (version === undefined) {
    const known = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    throw new FailedCall(hook, `could not create admission objects: ${known}`);
  }
  const asked = { uid: uuid(), version };
  const call = {
    timeoutSeconds: hook.timeoutSeconds ?? defaultTimeoutSeconds,
    userAgent: 'kube-apiserver-admission',
    reviews: ['admission.k8s.io/v1 AdmissionReview', 'admission.k8s.io/v1beta1 AdmissionReview'],
  };
  const answer = await client
    .post(hook.clientConfig, toReview(attributes, view, asked), call)
    .catch((error: unknown) => {
      throw new FailedCall(hook, `failed to call webhook: ${error instanceof Error ? error.message : String(error)}`);
    });
  const verdict = read(hook, answer, asked, mutating);
  for (const [key, value] of Object.entries(verdict.auditAnnotations))
    attributes.annotate?.(`${hook.name}/${key}`, value);
  verdict.warnings.forEach(attributes.warn);
  if (!verdict.allowed) throw denial(hook.name, verdict.status ?? {});
  return verdict;
}

function read(hook: Webhook, answer: JsonObject, asked: Asked, mutating: boolean): AdmissionVerdict {
  try {
    return readVerdict(answer, asked, mutating);
  } catch (error) {
    if (!(error instanceof InvalidReview)) throw error;
    throw new FailedCall(hook, `received invalid webhook response: ${error.message}`);
  }
}

/** What the caller is told of a refusal: the webhook's own words, never as a success. */
function denial(name: string, status: JsonObject): ApiError {
  const {
    message = '',
    reason = '',
    code = 0,
    details,
  } = status as {
    readonly message?: string;
    readonly reason?: string;
    readonly code?: number;
    readonly details?: StatusDetails;
  };
  const said = message !== '' ? `: ${message}` : reason !== '' ? `: ${reason}` : ' without explanation';
  const text = `admission webhook ${goQuote(name)} denied the request${said}`;
  return new ApiError(code < 400 ? 400 : code, reason, text, details === undefined ? {} : { details });
}

/** Decides by the failure policy of a webhook; returns when the request goes on without it, which `note` is told. */
export function settleFailure(hook: Webhook, error: unknown, note: (hookName: string) => void): void {
  if (!(error instanceof FailedCall)) throw error;
  if (hook.failurePolicy === 'Ignore') return note(hook.name);
  throw internalError(error.message);
}
