import type { Draft, JsonObject, StoredObject } from './json.ts';
import type { Registry } from './registry.ts';
import type { ResourceType } from './resource-type.ts';
import type { ResourceId } from '../storage/store.ts';

// All versions of a kind are stored once, in one form. The strategy is `None` (only apiVersion changes) unless the
// type brings a converter, which may have to ask somebody.

export function apiVersionOf(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** Where the objects of a type are kept. */
export function storageOf(type: ResourceType): ResourceId {
  return type.storedIn ?? type;
}

const servedForms = new WeakMap<ResourceType, WeakMap<StoredObject, StoredObject>>();

/**
 * The stored object as this version shows it. The same object gives the same result, so that its JSON can be kept.
 * Where conversion asks somebody, `loadServed` must have been waited for.
 */
export function toServed(type: ResourceType, stored: StoredObject): StoredObject {
  const isSame = hasVersion(type, stored);
  if (isSame && type.onRead === undefined) return stored;
  const known = servedForms.get(type)?.get(stored);
  if (known !== undefined) return known;
  if (!isSame && type.convertRemotely !== undefined) {
    throw new Error(`${stored.kind} ${stored.metadata.name} was not loaded as ${apiVersionOf(type)}`);
  }
  const converted = isSame ? stored : (type.convert?.fromStored(stored) ?? stored);
  return keepServed(type, stored, converted);
}

/** Asks for the served form of objects that were stored as another version. Undefined: there is nothing to wait for. */
export function loadServed(type: ResourceType, objects: readonly StoredObject[]): Promise<void> | undefined {
  if (type.convertRemotely === undefined) return undefined;
  const foreign = objects.filter((object) => !hasVersion(type, object));
  return foreign.length === 0 ? undefined : askServed(type, type.convertRemotely, foreign);
}

async function askServed(
  type: ResourceType,
  convert: NonNullable<ResourceType['convertRemotely']>,
  foreign: readonly StoredObject[],
): Promise<void> {
  const converted = await convert(foreign, apiVersionOf(type));
  foreign.forEach((stored, index) => keepServed(type, stored, converted[index] ?? stored));
}

/** The form in which an object of this version is stored. */
export function toStored(registry: Registry, type: ResourceType, draft: Draft): Draft | Promise<Draft> {
  const { group, plural } = storageOf(type);
  const home = registry.storageType(group, plural) ?? type;
  const apiVersion = type.storedAs ?? apiVersionOf(home);
  // These stand first so that a list can cut them off the JSON of its items.
  const finish = (converted: Draft, metadata: unknown): Draft => ({
    kind: home.kind,
    apiVersion,
    metadata,
    ...without(converted),
  });
  if (type.convertRemotely !== undefined && apiVersion !== apiVersionOf(type)) {
    return type
      .convertRemotely([draft as JsonObject], apiVersion)
      .then(([converted]) => finish(converted as Draft, converted?.['metadata']));
  }
  const converted = type.convert === undefined ? draft : (type.convert.toStored(draft as JsonObject) as Draft);
  return finish(converted, draft['metadata']);
}

/** An object of one version as another version of the same kind shows it. */
export async function convertVersion(
  registry: Registry,
  from: ResourceType,
  to: ResourceType,
  object: JsonObject,
): Promise<JsonObject> {
  if (from === to) return object;
  if (to.convertRemotely !== undefined) return (await to.convertRemotely([object], apiVersionOf(to)))[0] ?? object;
  const stored = (await toStored(registry, from, { ...object })) as StoredObject;
  const converted = to.convert?.fromStored(stored) ?? stored;
  return { ...converted, kind: to.kind, apiVersion: apiVersionOf(to), metadata: stored.metadata };
}

function hasVersion(type: ResourceType, stored: StoredObject): boolean {
  return stored.apiVersion === apiVersionOf(type) && stored.kind === type.kind;
}

function keepServed(type: ResourceType, stored: StoredObject, converted: JsonObject): StoredObject {
  const isSame = converted === stored && hasVersion(type, stored);
  // A webhook may change labels and annotations; the rest of metadata was compared when it answered.
  const metadata = type.convertRemotely === undefined ? stored.metadata : (converted as StoredObject).metadata;
  const shown = isSame ? stored : { ...converted, kind: type.kind, apiVersion: apiVersionOf(type), metadata };
  const served = type.onRead?.(shown) ?? shown;
  let forms = servedForms.get(type);
  if (forms === undefined) servedForms.set(type, (forms = new WeakMap()));
  forms.set(stored, served);
  return served;
}

function without({ kind: _kind, apiVersion: _apiVersion, metadata: _metadata, ...rest }: Draft): Draft {
  return rest;
}
