import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { JsonObject } from '../../registry/json.ts';
import { goQuote } from '../../schema/go-format.ts';
import type { RequestView } from './request-view.ts';

/** The parts of an answer that count. */
export type AdmissionVerdict = {
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  /** A JSON Patch as text. */
  readonly patch: string | undefined;
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
};

/** An answer that breaks the rules of AdmissionReview; counts as a failed call. */
export class InvalidReview extends Error {}

/** What a question was asked under. */
export type Asked = { readonly uid: string; readonly version: string };

const known = ['v1', 'v1beta1'];

/** The version of AdmissionReview that a webhook is asked in: the first of its own that the server knows. */
export function reviewVersion(versions: readonly string[] = []): string | undefined {
  return versions.find((version) => known.includes(version));
}

export function toReview(attributes: AdmissionAttributes, view: RequestView, { uid, version }: Asked): JsonObject {
  const { subresource, operation, name, namespace = '', user, dryRun, options } = attributes;
  const { username, uid: userUid = '', groups, extra = {} } = user;
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      kind: view.kind,
      resource: view.resource,
      ...(subresource === '' ? {} : { subResource: subresource }),
      requestKind: view.requestKind,
      requestResource: view.requestResource,
      ...(subresource === '' ? {} : { requestSubResource: subresource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === '' ? {} : { namespace }),
      operation,
      userInfo: {
        username,
        ...(userUid === '' ? {} : { uid: userUid }),
        groups,
        ...(Object.keys(extra).length === 0 ? {} : { extra }),
      },
      object: view.object ?? null,
      oldObject: view.old ?? null,
      dryRun,
      options,
    },
  };
}

type Response = {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: JsonObject | null;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
};

/** Reads an answer; throws an InvalidReview when it does not follow the rules of its version. */
export function readVerdict(review: JsonObject, asked: Asked, mutating: boolean): AdmissionVerdict {
  const response = review['response'] as Response | null | undefined;
  if (response === undefined || response === null) throw new InvalidReview('webhook response was absent');
  if (asked.version === 'v1') checkV1(review, response, asked.uid, mutating);
  const { allowed = false, status, patch = '', patchType, warnings, auditAnnotations } = response;
  return {
    allowed,
    status: status ?? undefined,
    patch: mutating && patch !== '' ? Buffer.from(patch, 'base64').toString() : undefined,
    // The first version did not say what kind of patch it is.
    patchType: asked.version === 'v1' ? (patchType ?? '') : 'JSONPatch',
    warnings: warnings ?? [],
    auditAnnotations: auditAnnotations ?? {},
  };
}

function checkV1({ apiVersion, kind }: JsonObject, response: Response, uid: string, mutating: boolean): void {
  const { patch = '', patchType } = response;
  if ((response.uid ?? '') !== uid) {
    throw new InvalidReview(`expected response.uid=${goQuote(uid)}, got ${goQuote(response.uid ?? '')}`);
  }
  if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview') {
    const given = typeof apiVersion === 'string' ? apiVersion : '';
    const got = `${given.includes('/') ? given : `/${given}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
    throw new InvalidReview(`expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${got}`);
  }
  if (!mutating) {
    if (patch !== '') throw new InvalidReview('validating webhook may not return response.patch');
    if (patchType !== undefined) throw new InvalidReview('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && patchType === undefined) {
    throw new InvalidReview('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && patchType !== undefined) {
    throw new InvalidReview('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') throw new InvalidReview('webhook returned invalid response.patchType of ""');
}
