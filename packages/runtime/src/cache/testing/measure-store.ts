import { getHeapStatistics } from 'node:v8';
import type { AnyObject } from '../../object.ts';
import { createObjectStore } from '../object-store.ts';
import { widgetJson } from './widget-json.ts';
import { widgetKind } from './widget.ts';

// usage: node --expose-gc measure-store.ts stripped|whole: prints how many bytes of heap a cached object takes, without or
// with its managed fields. One process for one figure, because nobody else's garbage may come and go meanwhile.
const objects = 20_000;
const collect = (globalThis as { gc?: () => void }).gc ?? (() => undefined);

function measure(transform?: (object: AnyObject) => AnyObject): number {
  collect();
  const before = getHeapStatistics().used_heap_size;
  const store = createObjectStore<AnyObject>({ kind: widgetKind, transform, onListenerError: () => undefined });
  const pass = store.beginSync();
  for (let index = 0; index < objects; index += 1) pass.put(JSON.parse(widgetJson(index, index + 1)) as AnyObject);
  pass.finish();
  collect();
  const used = getHeapStatistics().used_heap_size - before;
  if (store.size() !== objects) throw new Error(`the store holds ${store.size()} objects`);
  return used / objects;
}

process.stdout.write(String(process.argv[2] === 'whole' ? measure((object) => object) : measure()));
