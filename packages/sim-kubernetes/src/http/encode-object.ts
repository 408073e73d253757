import type { JsonObject, StoredObject } from '../registry/json.ts';
import { apiVersionOf } from '../registry/convert.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { ListResult } from '../rest/list-objects.ts';
import { objectJson } from '../storage/object-json.ts';
import type { StoreEvent } from '../storage/store.ts';
import type { WatchMessage } from '../rest/watch-objects.ts';

export function listJson(type: ResourceType, { items, ...list }: ListResult): string {
  const head = `{"kind":${JSON.stringify(type.listKind)},"apiVersion":${JSON.stringify(apiVersionOf(type))}`;
  // Lists of custom kinds are written from a map, which does not leave out what is empty.
  const metadata = type.origin === 'custom' ? { continue: '', ...listMetadata(list) } : listMetadata(list);
  return `${head},"metadata":${JSON.stringify(metadata)},"items":[${itemsJson(type, items)}]}`;
}

export function listMetadata(list: Omit<ListResult, 'items'>): JsonObject {
  return {
    resourceVersion: list.resourceVersion,
    ...(list.continue === undefined ? {} : { continue: list.continue }),
    ...(list.remainingItemCount === undefined ? {} : { remainingItemCount: list.remainingItemCount }),
  };
}

/** Lists of built-in kinds leave out what the list itself says already; lists of custom ones repeat it. */
function itemsJson(type: ResourceType, items: readonly StoredObject[]): string {
  if (type.origin === 'custom') return items.map(objectJson).join(',');
  const repeated = `{"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(apiVersionOf(type))},`;
  return items
    .map((item) => {
      const json = objectJson(item);
      return json.startsWith(repeated) ? `{${json.slice(repeated.length)}` : json;
    })
    .join(',');
}

type EventType = StoreEvent['type'];
const lines = new WeakMap<StoreEvent, Map<ResourceType, Partial<Record<EventType, Uint8Array>>>>();

/** A watch event in bytes; watchers of the same kind that are told the same share them. */
export function eventLine(
  type: ResourceType,
  message: Extract<WatchMessage, { readonly object: unknown }>,
): Uint8Array {
  const { event } = message;
  if (event === undefined) return toLine(message.type, objectJson(message.object));
  let ofEvent = lines.get(event);
  if (ofEvent === undefined) lines.set(event, (ofEvent = new Map()));
  let ofType = ofEvent.get(type);
  if (ofType === undefined) ofEvent.set(type, (ofType = {}));
  return (ofType[message.type] ??= toLine(message.type, objectJson(message.object)));
}

export function toLine(type: string, json: string): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${json}}\n`);
}
