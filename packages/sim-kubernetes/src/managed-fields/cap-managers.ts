import { union } from './field-set.ts';
import type { Manager, Managers } from './managed-entries.ts';
import { identityOf } from './managed-entries.ts';

/** How many managers that update are kept apart. */
const mostUpdaters = 10;

/** Puts the oldest managers that update together into one for each version, until there are few enough. */
export function capManagers(managers: Managers): void {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let surplus = updaters.length - mostUpdaters;
  if (surplus <= 0) return;
  const first = new Map<string, string>();
  for (const [identity, manager] of updaters.toSorted(oldestFirst)) {
    if (surplus <= 0) return;
    const { apiVersion } = manager;
    const earlier = first.get(apiVersion);
    if (earlier === undefined) {
      first.set(apiVersion, identity);
      continue;
    }
    const name = { manager: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' } as const;
    const bucket = identityOf(name);
    const there = managers.get(bucket) ?? managers.get(earlier);
    if (!managers.has(bucket)) managers.delete(earlier);
    const fields = there === undefined ? manager.fields : union(manager.fields, there.fields);
    managers.set(bucket, { ...name, time: manager.time, fields });
    managers.delete(identity);
    surplus--;
  }
}

function oldestFirst(
  [a, { time: left = '' }]: [string, Manager],
  [b, { time: right = '' }]: [string, Manager],
): number {
  if (left !== right) return left < right ? -1 : 1;
  return a < b ? -1 : 1;
}
