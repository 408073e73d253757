import { createSimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import type { SimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import type { AnyObject } from '../../object.ts';
import { createObjectStore } from '../object-store.ts';
import type { ObjectStore } from '../object-store.ts';
import { createReflector } from '../reflector.ts';
import type { Reflector, ReflectorOptions } from '../reflector.ts';
import { createScriptedApi } from './scripted-api.ts';
import type { ScriptedApi, ScriptedApiOptions } from './scripted-api.ts';
import { tellChange, widgetKind } from './widget.ts';

export type WatchedStore = {
  readonly clock: SimulatedClock;
  readonly api: ScriptedApi;
  readonly store: ObjectStore<AnyObject>;
  readonly reflector: Reflector;
  /** Changes in short, as the listeners got them. */
  readonly changes: string[];
  /** What the observer was told, in short. */
  readonly told: string[];
  readonly errors: unknown[];
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** Names and versions in the store and on the server. */
  readonly held: () => readonly string[];
  readonly served: () => readonly string[];
};

/** A reflector with its store against a scripted server, on a clock that stands still until it is advanced. */
export function createWatchedStore(
  apiOptions: Partial<ScriptedApiOptions> = {},
  options: Partial<ReflectorOptions<AnyObject>> = {},
): WatchedStore {
  const clock = createSimulatedClock();
  const api = createScriptedApi({ clock, ...apiOptions });
  const [changes, told, errors]: [string[], string[], unknown[]] = [[], [], []];
  const store = createObjectStore<AnyObject>({
    kind: widgetKind,
    freeze: true,
    onListenerError: (e) => errors.push(e),
  });
  store.onChange((change) => changes.push(tellChange(change)));
  const reflector = createReflector<AnyObject>(
    { kind: widgetKind, ...options },
    {
      client: api.client,
      clock,
      random: () => 0,
      store,
      onError: (error) => errors.push(error),
      observer: {
        listed: (_, { via, objects }) => told.push(`listed ${objects} by ${via}`),
        restarted: (_, reason) => told.push(reason),
        garbage: (_, message) => told.push(`garbage: ${message}`),
      },
    },
  );
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  return {
    clock,
    api,
    store,
    reflector,
    changes,
    told,
    errors,
    start: () => void (running = reflector.run(stopping.signal)),
    stop: async () => {
      stopping.abort();
      await running;
    },
    held: () => tellAll(store.list()),
    served: () => tellAll(api.history.objects()),
  };
}

/** The same with two objects, `a` and `b`, synced and watching at version 102; what happened so far is cleared. */
export async function createSynced(...args: Parameters<typeof createWatchedStore>): Promise<WatchedStore> {
  const world = createWatchedStore(...args);
  world.api.history.write('a');
  world.api.history.write('b');
  world.start();
  await world.clock.runUntil(() => world.reflector.position.hasSynced() && world.api.streams().length > 0);
  for (const record of [world.changes, world.told, world.api.requests]) record.length = 0;
  return world;
}

function tellAll(objects: readonly AnyObject[]): readonly string[] {
  return objects.map(({ metadata }) => `${metadata.name ?? ''}@${metadata.resourceVersion ?? ''}`).toSorted();
}
