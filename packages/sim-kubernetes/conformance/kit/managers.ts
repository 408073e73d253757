import type { Answer, Loose } from './wire-client.ts';
import { masked } from './mask.ts';

/**
 * The managedFields of an object without times, in an order that does not depend on them: a story may run across a
 * full second on one server and not on the other. `time` says whether there is one.
 */
export function managersOf(object: Loose): Loose {
  const entries = (object?.metadata?.managedFields ?? []) as readonly Loose[];
  return entries
    .map(({ time, ...entry }) => ({ ...entry, ...(time === undefined ? {} : { time: '<time>' }) }))
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf({ operation, manager, apiVersion, subresource }: Loose): string {
  return [operation, manager, apiVersion, subresource].join(' ');
}

/** What a story keeps of an answer: the object with its managers, or what was wrong. */
export function told({ status, body, text, headers }: Answer, names: Readonly<Record<string, string>>): Loose {
  const { warning } = headers;
  const object = body === undefined ? { text } : masked(body, names);
  const isObject = body?.kind !== 'Status';
  return {
    answered: status,
    ...(warning === undefined ? {} : { warning }),
    ...object,
    ...(isObject ? { metadata: { ...object.metadata, managedFields: masked(managersOf(body), names) } } : {}),
  };
}
