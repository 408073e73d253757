import { normalizeObject } from '../kinds/normalize-object.ts';
import { schemaNameOf } from '../kinds/builtin-kind.ts';
import { apiVersionOf, convertVersion } from '../registry/convert.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { FieldScope } from './field-scope.ts';
import { mergeTypeOf } from './merge-type-of.ts';
import { fieldFilter } from './reset-fields.ts';

/** How the fields of a kind are owned when it is written through this subresource. */
export function fieldScopeOf(registry: Registry, type: ResourceType, subresource: string): FieldScope {
  const typeIn = (apiVersion: string): ResourceType | undefined => {
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    return registry.findKind(group, version, type.kind);
  };
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    subresource,
    type: mergeTypeOf(type),
    changeable: type.origin === 'custom',
    empty: emptyObject(type),
    filterFor: (apiVersion) => fieldFilter(type, subresource, apiVersion),
    typeAt: (apiVersion) => {
      const other = typeIn(apiVersion);
      return other && mergeTypeOf(other);
    },
    convert: async (object, apiVersion) =>
      convertVersion(registry, type, typeIn(apiVersion) ?? type, object as JsonObject),
  };
}

const emptyObjects = new WeakMap<ResourceType, Draft>();

/** A new object as Go writes it: built-in kinds have parts that are there even when nobody set them. */
function emptyObject(type: ResourceType): Draft {
  let empty = emptyObjects.get(type);
  if (empty === undefined) {
    empty = { apiVersion: apiVersionOf(type), kind: type.kind };
    if (type.origin === 'builtin') {
      normalizeObject(empty, schemaNameOf(type.group, type.version, type.kind));
      empty['metadata'] ??= {};
    }
    emptyObjects.set(type, empty);
  }
  return empty;
}
