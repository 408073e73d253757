import { badRequest, expired, tooLargeResourceVersion } from '../registry/api-error.ts';
import { loadServed, storageOf, toServed } from '../registry/convert.ts';
import type { StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { tableKey } from '../storage/object-table.ts';
import type { Store } from '../storage/store.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import type { ContinueToken } from './continue-token.ts';

export type ListQuery = {
  readonly namespace: string | undefined;
  /** Absent: everything. Looks at objects in the form of the type's version. */
  readonly matches: ((object: StoredObject) => boolean) | undefined;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
};

export type ListResult = {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
};

const listTooOld = 'The resourceVersion for the provided list is too old.';
const continueTooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** One page of a list, all pages of which show the same revision. */
export function listObjects(store: Store, type: ResourceType, query: ListQuery): ListResult | Promise<ListResult> {
  const { namespace } = query;
  const token = query.continue === '' ? undefined : decodeContinue(query.continue);
  const revision = revisionOf(store, query, token);
  const stored = store.listAt(storageOf(type), revision, namespace);
  if (stored === undefined) throw tooOld(token);
  const startKey = token === undefined ? '' : absoluteKey(token.startKey, namespace);
  const from = startKey === '' ? 0 : stored.findIndex((object) => keyOf(object) >= startKey);
  const rest = from < 0 ? [] : stored.slice(from);
  const show = (): ListResult =>
    page(
      rest.map((object) => toServed(type, object)),
      revision,
      query,
    );
  return loadServed(type, rest)?.then(show) ?? show();
}

function page(
  rest: readonly StoredObject[],
  revision: number,
  { matches, limit, namespace, ...query }: ListQuery,
): ListResult {
  const resourceVersion = String(revision);
  // Any revision will do means: straight from the cache, which knows no pages.
  const pages = limit > 0 && query.resourceVersion !== '0';
  if (!pages) return { items: matches === undefined ? rest : rest.filter(matches), resourceVersion };
  const items: StoredObject[] = [];
  let seen = 0;
  while (seen < rest.length && items.length < limit) {
    const object = rest[seen++];
    if (object !== undefined && (matches === undefined || matches(object))) items.push(object);
  }
  const last = rest[seen - 1];
  const more = matches === undefined ? seen < rest.length : rest.slice(seen).some(matches);
  if (!more || last === undefined) return { items, resourceVersion };
  return {
    items,
    resourceVersion,
    continue: encodeContinue({ revision, startKey: relativeKey(`${keyOf(last)}\0`, namespace) }),
    // With a selector the server does not know without looking, so it does not say.
    ...(matches === undefined ? { remainingItemCount: rest.length - seen } : {}),
  };
}

function revisionOf(store: Store, query: ListQuery, token: ContinueToken | undefined): number {
  const now = store.revision();
  if (token !== undefined) {
    if (query.resourceVersion !== '' && query.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return token.revision < 0 ? now : token.revision;
  }
  if (query.resourceVersion === '' || query.resourceVersion === '0') return now;
  const asked = Number(query.resourceVersion);
  if (asked > now) throw tooLargeResourceVersion(asked, now);
  const exact = query.resourceVersionMatch === 'Exact' || (query.resourceVersionMatch === '' && query.limit > 0);
  return exact ? asked : now;
}

function tooOld(token: ContinueToken | undefined): Error {
  if (token === undefined) return expired(listTooOld);
  return expired(continueTooOld, encodeContinue({ revision: -1, startKey: token.startKey }));
}

const keyOf = ({ metadata }: StoredObject): string => tableKey(metadata.namespace, metadata.name);

/** Keys in tokens are relative to what is listed, and a client may look at them. */
function relativeKey(key: string, namespace: string | undefined): string {
  return namespace === undefined ? key : key.slice(namespace.length);
}

function absoluteKey(key: string, namespace: string | undefined): string {
  if (namespace === undefined) return key;
  return `${namespace}${key.startsWith('/') ? key : `/${key}`}`;
}
