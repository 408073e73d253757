import type { JsonObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import {
  bodyParameters,
  deleteParameters,
  listParameters,
  pathParameter,
  pretty,
  readParameters,
} from './parameters.ts';

const metaSchemas = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The paths of one resource: what may be asked of it, with which parameters, and what comes back. */
export function resourcePaths(type: ResourceType, schemaName: string): { readonly [path: string]: JsonObject } {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const collection = `${root}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}`;
  const place = type.namespaced ? [pathParameter('namespace')] : [];
  const named = [pathParameter('name'), ...place, pretty];
  const item = `${collection}/{name}`;
  return {
    ...(type.namespaced
      ? {
          [`${root}/${type.plural}`]: {
            get: listOperation(type, schemaName, 'ForAllNamespaces'),
            parameters: [pretty],
          },
        }
      : {}),
    [collection]: { ...collectionOperations(type, schemaName), parameters: [...place, pretty] },
    [item]: { ...itemOperations(type, schemaName), parameters: named },
    ...(type.hasStatus
      ? { [`${item}/status`]: { ...writeOperations(type, schemaName, 'Status'), parameters: named } }
      : {}),
    ...(type.scale
      ? {
          [`${item}/scale`]: {
            ...writeOperations(type, 'io.k8s.api.autoscaling.v1.Scale', 'Scale'),
            parameters: named,
          },
        }
      : {}),
  };
}

function collectionOperations(type: ResourceType, schemaName: string): JsonObject {
  const { verbs } = type;
  return {
    ...(verbs.includes('list') ? { get: listOperation(type, schemaName, '') } : {}),
    ...(verbs.includes('create')
      ? { post: bodyOperation(type, schemaName, 'post', 'create', '', ['200', '201', '202']) }
      : {}),
    ...(verbs.includes('deletecollection')
      ? {
          delete: operation(
            type,
            'deletecollection',
            'deleteCollection',
            `${metaSchemas}.Status`,
            ['200'],
            listParameters,
          ),
        }
      : {}),
  };
}

function itemOperations(type: ResourceType, schemaName: string): JsonObject {
  const { verbs } = type;
  return {
    ...writeOperations(type, schemaName, ''),
    ...(verbs.includes('delete')
      ? {
          delete: {
            ...operation(type, 'delete', 'delete', `${metaSchemas}.Status`, ['200', '202'], deleteParameters),
            requestBody: content(`${metaSchemas}.DeleteOptions`, ['application/json', 'application/yaml']),
          },
        }
      : {}),
  };
}

/** Reading and changing, which the object and its subresources have in common. */
function writeOperations(type: ResourceType, schemaName: string, suffix: string): JsonObject {
  const { verbs } = type;
  return {
    ...(verbs.includes('get')
      ? { get: operation(type, 'get', `read${suffix}`, schemaName, ['200'], readParameters) }
      : {}),
    ...(verbs.includes('update')
      ? { put: bodyOperation(type, schemaName, 'put', 'replace', suffix, ['200', '201']) }
      : {}),
    ...(verbs.includes('patch') ? { patch: patchOperation(type, schemaName, suffix) } : {}),
  };
}

function listOperation(type: ResourceType, schemaName: string, suffix: string): JsonObject {
  return operation(type, 'list', `list${suffix}`, `${schemaName}List`, ['200'], listParameters);
}

function bodyOperation(
  type: ResourceType,
  schemaName: string,
  action: string,
  word: string,
  suffix: string,
  codes: readonly string[],
): JsonObject {
  return {
    ...operation(type, action, `${word}${suffix}`, schemaName, codes, bodyParameters),
    requestBody: { ...content(schemaName, ['application/json', 'application/yaml']), required: true },
  };
}

function patchOperation(type: ResourceType, schemaName: string, suffix: string): JsonObject {
  const strategic = type.origin === 'builtin' ? ['application/strategic-merge-patch+json'] : [];
  const forms = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
  const force = { name: 'force', in: 'query', schema: { type: 'boolean', uniqueItems: true } };
  return {
    ...operation(type, 'patch', `patch${suffix}`, schemaName, ['200'], [...bodyParameters, force]),
    requestBody: { ...content(`${metaSchemas}.Patch`, [...forms, ...strategic]), required: true },
  };
}

function operation(
  type: ResourceType,
  action: string,
  word: string,
  schemaName: string,
  codes: readonly string[],
  parameters: readonly JsonObject[],
): JsonObject {
  const { group, version, kind } = type;
  const answers = codes.map((code) => [
    code,
    { description: 'OK', ...content(schemaName, ['application/json', 'application/yaml']) },
  ]);
  return {
    tags: [`${camel(group === '' ? 'core' : group)}_${version}`],
    operationId: `${word}${upper(camel(group === '' ? 'core' : group))}${upper(version)}${type.namespaced ? 'Namespaced' : ''}${kind}`,
    parameters,
    responses: { ...(Object.fromEntries(answers) as JsonObject), '401': { description: 'Unauthorized' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

function content(schemaName: string, mediaTypes: readonly string[]): JsonObject {
  const schema = { $ref: `#/components/schemas/${schemaName}` };
  return { content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }])) };
}

function camel(group: string): string {
  return group.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function upper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
