import type { Draft, JsonObject, StoredObject } from './json.ts';
import type { Registry } from './registry.ts';
import type { ResourceType } from './resource-type.ts';
import type { ResourceId } from '../storage/store.ts';

// All versions of a kind are stored once, in one form. The strategy is `None` (only apiVersion changes) unless the
// type brings a converter.

export function apiVersionOf(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** Where the objects of a type are kept. */
export function storageOf(type: ResourceType): ResourceId {
  return type.storedIn ?? type;
}

const servedForms = new WeakMap<ResourceType, WeakMap<StoredObject, StoredObject>>();

/** The stored object as this version shows it. The same object gives the same result, so that its JSON can be kept. */
export function toServed(type: ResourceType, stored: StoredObject): StoredObject {
  const apiVersion = apiVersionOf(type);
  const isSame = stored.apiVersion === apiVersion && stored.kind === type.kind;
  if (isSame && type.onRead === undefined) return stored;
  let forms = servedForms.get(type);
  if (forms === undefined) servedForms.set(type, (forms = new WeakMap()));
  let served = forms.get(stored);
  if (served === undefined) {
    const converted = isSame ? stored : (type.convert?.fromStored(stored) ?? stored);
    const shown = isSame ? stored : { ...converted, kind: type.kind, apiVersion, metadata: stored.metadata };
    served = type.onRead?.(shown) ?? shown;
    forms.set(stored, served);
  }
  return served;
}

/** The form in which an object of this version is stored. */
export function toStored(registry: Registry, type: ResourceType, draft: Draft): Draft {
  const { group, plural } = storageOf(type);
  const home = registry.storageType(group, plural) ?? type;
  const converted = type.convert === undefined ? draft : (type.convert.toStored(draft as JsonObject) as Draft);
  // These stand first so that a list can cut them off the JSON of its items.
  return { kind: home.kind, apiVersion: apiVersionOf(home), metadata: draft['metadata'], ...without(converted) };
}

function without({ kind: _kind, apiVersion: _apiVersion, metadata: _metadata, ...rest }: Draft): Draft {
  return rest;
}
