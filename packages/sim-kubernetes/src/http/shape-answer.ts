import type { JsonObject, StoredObject } from '../registry/json.ts';
import type { TableRules } from '../registry/object-rules.ts';
import { ApiError, badRequest } from '../registry/api-error.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { ListResult } from '../rest/list-objects.ts';
import type { ApiRequest } from './api-request.ts';
import { objectJson } from '../storage/object-json.ts';
import { listJson, listMetadata } from './encode-object.ts';
import type { Negotiated } from './negotiate.ts';

export type AnswerShaper = {
  readonly object: (type: ResourceType, object: StoredObject, negotiated: Negotiated, request: ApiRequest) => string;
  readonly list: (type: ResourceType, list: ListResult, negotiated: Negotiated, request: ApiRequest) => string;
  /** An object of a watch; `first` decides whether a table brings its columns. */
  readonly watched: (
    type: ResourceType,
    object: StoredObject,
    negotiated: Negotiated,
    request: ApiRequest,
    first: boolean,
  ) => string;
};

/** Writes answers out in the form that was asked for: whole objects, tables, or metadata alone. */
export function createAnswerShaper(toTable: TableRules, nowMs: () => number): AnswerShaper {
  const table = (
    type: ResourceType,
    objects: readonly StoredObject[],
    metadata: JsonObject,
    { metaVersion }: Negotiated,
    { query }: ApiRequest,
    withoutColumns = false,
  ): string => {
    const includeObject = includeOf(query.get('includeObject'));
    return JSON.stringify(
      toTable(type, objects, metadata, { includeObject, version: metaVersion, nowMs: nowMs(), withoutColumns }),
    );
  };
  return {
    object: (type, object, negotiated, request) => {
      if (negotiated.shape === 'table') return table(type, [object], versionOnly(object), negotiated, request);
      if (negotiated.shape === 'partial-list') throw notAList(type);
      return negotiated.shape === 'partial' ? partialJson(object, negotiated) : objectJson(object);
    },
    list: (type, list, negotiated, request) => {
      if (negotiated.shape === 'table') return table(type, list.items, listMetadata(list), negotiated, request);
      if (negotiated.shape === 'partial') throw wrongForm('PartialObjectMetadata', 'object is a list');
      return negotiated.shape === 'partial-list' ? partialListJson(list, negotiated) : listJson(type, list);
    },
    watched: (type, object, negotiated, request, first) => {
      if (negotiated.shape === 'table') {
        return table(type, [object], versionOnly(object), negotiated, request, !first);
      }
      return negotiated.shape === 'partial' ? partialJson(object, negotiated) : objectJson(object);
    },
  };
}

/** Told when the answer is written: what was asked has been done. */
function wrongForm(asked: string, found: string): ApiError {
  return new ApiError(406, 'NotAcceptable', `you requested ${asked}, but the requested ${found}`);
}

function notAList({ origin }: ResourceType): ApiError {
  if (origin === 'custom') return new ApiError(500, '', 'content is not a list');
  return wrongForm('PartialObjectMetadataList', 'object is not a list');
}

const versionOnly = ({ metadata }: StoredObject): JsonObject => ({ resourceVersion: metadata.resourceVersion });

function partialJson({ metadata }: StoredObject, { metaVersion }: Negotiated): string {
  return JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${metaVersion}`, metadata });
}

function partialListJson(list: ListResult, negotiated: Negotiated): string {
  const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${negotiated.metaVersion}` };
  const items = list.items.map((item) => partialJson(item, negotiated)).join(',');
  return `${JSON.stringify({ ...head, metadata: listMetadata(list) }).slice(0, -1)},"items":[${items}]}`;
}

function includeOf(value: string | null): 'None' | 'Metadata' | 'Object' {
  if (value === null || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(
    `includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
