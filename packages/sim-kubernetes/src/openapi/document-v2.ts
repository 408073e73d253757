import { wireDocumentSchemas } from '../kinds/wire-schemas.ts';
import type { JsonObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { toCustomDefinition, toDefinition } from './definition-v2.ts';
import { customSchemas, schemaName, sharedSchemas } from './openapi-document.ts';
import { resourcePaths } from './resource-paths.ts';

type Loose = { readonly [key: string]: unknown };

const produced = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The OpenAPI v2 document: everything that the server serves, in one piece. */
export function documentV2(types: readonly ResourceType[]): JsonObject {
  const paths = types.flatMap((type) =>
    Object.entries(resourcePaths(type, schemaName(type))).map(([path, item]) => [path, toPathItem(item as Loose)]),
  );
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: sorted(Object.fromEntries(paths) as Loose),
    definitions: sorted(definitionsOf(types)),
    securityDefinitions: {
      BearerToken: {
        description: 'Bearer Token authentication',
        type: 'apiKey',
        name: 'authorization',
        in: 'header',
      },
    },
    security: [{ BearerToken: [] }],
  };
}

function definitionsOf(types: readonly ResourceType[]): Loose {
  const found: { [name: string]: unknown } = {};
  const add = (schemas: Readonly<Record<string, SchemaNode>>, convert: (node: SchemaNode) => Loose): void => {
    for (const [name, schema] of Object.entries(schemas)) found[name] ??= convert(schema);
  };
  const builtin = types.filter(({ origin }) => origin === 'builtin');
  const versions = new Map(builtin.map((type) => [`${type.group}/${type.version}`, type]));
  for (const { group, version } of versions.values()) add(wireDocumentSchemas(group, version), toDefinition);
  const custom = types.filter(({ origin }) => origin === 'custom');
  if (custom.length > 0) add(sharedSchemas(custom), toDefinition);
  for (const type of custom) add(customSchemas(type), toCustomDefinition);
  return found;
}

function toPathItem({ parameters = [], ...operations }: Loose): Loose {
  const entries = Object.entries(operations).map(([method, operation]) => [method, toOperation(operation as Loose)]);
  return { ...Object.fromEntries(entries), parameters: (parameters as readonly Loose[]).map(toParameter) };
}

function toOperation({ requestBody, parameters = [], responses, tags, operationId, ...rest }: Loose): Loose {
  const body = requestBody as (Loose & { readonly content: Loose }) | undefined;
  const answers = Object.entries(responses as Loose).map(([code, answer]) => [code, toResponse(answer as Loose)]);
  const isPatch = rest['x-kubernetes-action'] === 'patch';
  return {
    consumes: body !== undefined && isPatch ? Object.keys(body.content) : ['*/*'],
    produces: produced,
    schemes: ['https'],
    tags,
    operationId,
    parameters: [...(body === undefined ? [] : [toBody(body)]), ...(parameters as readonly Loose[]).map(toParameter)],
    responses: Object.fromEntries(answers) as Loose,
    ...rest,
  };
}

function toBody({ content, required }: Loose & { readonly content: Loose }): Loose {
  return { name: 'body', in: 'body', ...(required === true ? { required } : {}), schema: schemaIn(content) };
}

function toResponse({ description, content }: Loose): Loose {
  return { description, ...(content === undefined ? {} : { schema: schemaIn(content as Loose) }) };
}

function schemaIn(content: Loose): Loose {
  const [first] = Object.values(content) as readonly { readonly schema: SchemaNode }[];
  return first === undefined ? {} : toDefinition(first.schema);
}

function toParameter({ schema, ...rest }: Loose): Loose {
  return { ...rest, ...(schema as Loose) };
}

function sorted(entries: Loose): JsonObject {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1))) as JsonObject;
}
