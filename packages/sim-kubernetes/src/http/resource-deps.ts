import { annotateIn } from '../audit/audit-trail.ts';
import type { UserInfo } from '../registry/admission.ts';
import type { JsonObject } from '../registry/json.ts';
import type { PatchRules } from '../registry/object-rules.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { RestClient } from '../rest/rest-client.ts';
import type { RestDeps, WriteContext } from '../rest/rest-deps.ts';
import type { ApiRequest } from './api-request.ts';
import type { BodyDecoder } from './decode-body.ts';
import type { Negotiated } from './negotiate.ts';
import type { ResourcePath } from './parse-path.ts';
import type { WriteOptions } from './query-options.ts';
import type { AnswerShaper } from './shape-answer.ts';

export type ResourceDeps = {
  readonly rest: RestDeps;
  readonly client: RestClient;
  readonly patches: PatchRules;
  readonly decode: BodyDecoder;
  readonly shape: AnswerShaper;
};

/** One request for a resource that exists. */
export type ResourceCall = {
  readonly request: ApiRequest;
  readonly path: ResourcePath;
  readonly type: ResourceType;
  /** Throws when nothing that the caller accepts can be written, so it is asked before anything is done. */
  readonly negotiated: Negotiated;
  readonly user: UserInfo;
  readonly warnings: string[];
};

export function checkAcceptable({ negotiated }: ResourceCall): Negotiated {
  return negotiated;
}

export function writeContextOf(call: ResourceCall, options: WriteOptions): WriteContext {
  const { user, warnings, request } = call;
  const warn = (text: string): void => {
    if (!warnings.includes(text)) warnings.push(text);
  };
  const fieldManager = options.fieldManager === '' ? managerOf(request) : options.fieldManager;
  const { dryRun, fieldValidation } = options;
  const annotate = request.audit && annotateIn(request.audit);
  return { dryRun, fieldManager, fieldValidation, user, warn, annotate, asked: askedOptions(request) };
}

function askedOptions({ query }: ApiRequest): JsonObject {
  const given = (name: string): JsonObject => ((query.get(name) ?? '') === '' ? {} : { [name]: query.get(name) });
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  return {
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...given('fieldManager'),
    ...given('fieldValidation'),
  };
}

const longestManager = 128;

/** Who writes is named by the program, up to its version. */
function managerOf({ headers }: ApiRequest): string {
  const program = (headers['user-agent'] ?? '').split('/')[0] ?? '';
  let name = '';
  for (const char of program.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')) {
    if (Buffer.byteLength(name + char) > longestManager) break;
    name += char;
  }
  return name;
}
