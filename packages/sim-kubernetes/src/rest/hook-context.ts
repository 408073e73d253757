import type { Clock } from '@tributary/runtime/clock';
import type { HookContext } from '../registry/resource-type.ts';
import type { Store } from '../storage/store.ts';
import { createUuid } from './random-names.ts';

export function createHookContext(store: Store, clock: Pick<Clock, 'now'>, random: () => number): HookContext {
  // Thousands of objects are made in the same second.
  let second = { at: -1, text: '' };
  const now = (): string => {
    const at = Math.floor(clock.now() / 1000);
    if (at !== second.at) second = { at, text: toTimestamp(at * 1000) };
    return second.text;
  };
  return {
    now,
    uuid: createUuid(random),
    get: (group, plural, namespace, name) => store.get({ group, plural }, { namespace, name }),
    list: (group, plural, namespace) => store.list({ group, plural }, namespace),
  };
}

/** RFC 3339 with whole seconds, as the API writes times. */
export function toTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
