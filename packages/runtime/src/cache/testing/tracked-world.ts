import { createSimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import { createObjectCache } from '../object-cache.ts';
import { createTrackedClient } from '../tracked-client.ts';
import { createScriptedApi } from './scripted-api.ts';
import type { ScriptedApi, ScriptedApiOptions } from './scripted-api.ts';
import { createScriptedClient } from './scripted-client.ts';
import type { ScriptedClientOptions } from './scripted-client.ts';
import { widgetKind } from './widget.ts';

export const key = 'default/a';
export const ref = { namespace: 'default', name: 'a' };
export const draft = { metadata: { namespace: 'default', name: 'a' } };

/** A synced informer and a client whose writes it learns of. Watches hear of a write only when `api.pump` is called. */
export async function createTrackedWorld(
  options: Partial<ScriptedClientOptions> & Partial<ScriptedApiOptions> = {},
  prepare: (api: ScriptedApi) => void = () => undefined,
) {
  const clock = createSimulatedClock();
  const api = createScriptedApi({ clock, ...options });
  prepare(api);
  const cache = createObjectCache({ client: api.client, clock, random: () => 0, freeze: true });
  const client = createTrackedClient(createScriptedClient(api, { clock, ...options }), cache);
  const informer = cache.informer(widgetKind);
  const stopping = new AbortController();
  cache.start(stopping.signal);
  await clock.advance(1);
  const version = (): string | undefined => informer.get(ref)?.metadata.resourceVersion;
  /** Starts to wait; the answer tells whether the wait is over, and how. */
  const watchFor = (signal?: AbortSignal, of = key) => {
    const state = { over: false, error: undefined as unknown };
    informer.caughtUp(of, signal).then(
      () => (state.over = true),
      (error: unknown) => Object.assign(state, { over: true, error }),
    );
    return state;
  };
  /** Performs a write and lets it be answered. */
  const complete = async <R>(write: Promise<R>): Promise<R> => {
    write.catch(() => undefined);
    await clock.advance(2);
    return write;
  };
  return { clock, api, cache, client, informer, stopping, version, watchFor, complete };
}
