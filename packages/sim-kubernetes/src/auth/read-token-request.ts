import { ensureChild, text } from '../kinds/draft-fields.ts';
import { normalizeObject } from '../kinds/normalize-object.ts';
import { resolvedSchema } from '../kinds/resolved-schema.ts';
import { badRequest } from '../registry/api-error.ts';
import type { Draft } from '../registry/json.ts';
import type { SubresourceCall } from '../registry/subresource.ts';
import { schemaRules } from '../schema/schema-rules.ts';

const kind = 'TokenRequest';
const apiVersion = 'authentication.k8s.io/v1';
const schemaName = `io.k8s.api.authentication.v1.${kind}`;

/** The body as the server reads it: of the right kind, with fields of the right types and no others. */
export function readTokenRequest({ body, query }: Pick<SubresourceCall, 'body' | 'query'>): Draft {
  if (body === undefined) {
    const problem = "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)";
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem}`);
  }
  const given = { kind: text(body, 'kind') || kind, apiVersion: text(body, 'apiVersion') || apiVersion };
  const draft: Draft = { ...body, ...given };
  const version = given.apiVersion.split('/').at(-1) ?? '';
  if (given.kind !== kind || given.apiVersion !== apiVersion) {
    const conversion = `converting (${version}.${given.kind}) to (authentication.${kind}): unknown conversion`;
    throw badRequest(
      `${given.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${conversion}`,
    );
  }
  const unknown = schemaRules.prune(resolvedSchema(schemaName), draft);
  if (unknown.length > 0 && query.get('fieldValidation') === 'Strict') {
    const fields = unknown.map((path) => `unknown field ${JSON.stringify(path)}`).join(', ');
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${fields}`,
    );
  }
  normalizeObject(draft, schemaName);
  ensureChild(draft, 'spec')['boundObjectRef'] ??= null;
  return draft;
}
