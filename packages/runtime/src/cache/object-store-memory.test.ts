import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { AnyObject } from '../object.ts';
import { createObjectStore } from './object-store.ts';
import { widgetJson } from './testing/widget-json.ts';
import { widgetKind } from './testing/widget.ts';

const objects = 20_000;

/** What a store keeps on the heap, in bytes per object. */
function measure(transform?: (object: AnyObject) => AnyObject): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = getHeapStatistics().used_heap_size;
  const store = createObjectStore<AnyObject>({ kind: widgetKind, transform, onListenerError: () => undefined });
  const pass = store.beginSync();
  for (let index = 0; index < objects; index += 1) pass.put(JSON.parse(widgetJson(index, index + 1)) as AnyObject);
  pass.finish();
  collect();
  const used = getHeapStatistics().used_heap_size - before;
  expect(store.size()).toBe(objects);
  return used / objects;
}

test('an object of 1.4 KB takes less than 2 KB, so that 50,000 fit in 100 MB, because managed fields are dropped', () => {
  expect(widgetJson(1, 1).length).toBeGreaterThan(1350);
  const stripped = measure();
  const whole = measure((object) => object);
  expect(stripped).toBeLessThan(2000);
  expect(stripped).toBeLessThan(whole * 0.6);
}, 30_000);
