import { afterEach, describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../testkit/src/simulated-clock.ts';
import { createHandDrivenCache } from '../controller/testing/hand-driven-cache.ts';
import { createRecordingLog } from '../controller/testing/recording-log.ts';
import { defineKind } from '../kind.ts';
import type { LeaderElector } from '../leader/leader-elector.ts';
import { OperatorError } from '../operator-error.ts';
import { createManager } from './create-manager.ts';
import type { ManagerDeps, ManagerOptions } from './create-manager.ts';
import type { Runnable } from './runnable.ts';

const pod = defineKind({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(cleanUp.splice(0).map(async (stop) => stop()));
});

function start(options: (happened: string[]) => Partial<ManagerOptions>, deps: Partial<ManagerDeps> = {}) {
  const happened: string[] = [];
  const clock = createSimulatedClock();
  const cache = createHandDrivenCache();
  cache.informer(pod);
  const watched = {
    ...cache,
    start: (signal: AbortSignal) => {
      happened.push('caches start');
      signal.addEventListener('abort', () => happened.push('caches stop'));
    },
  };
  const { log, lines } = createRecordingLog();
  const manager = createManager(
    { runnables: [], healthAddress: '127.0.0.1:0', ...options(happened) },
    { caches: [watched], clock, log, ...deps },
  );
  const abort = new AbortController();
  let end: { readonly error?: unknown } | undefined;
  const running = manager.run(abort.signal).then(
    () => (end = {}),
    (error: unknown) => (end = { error }),
  );
  const listening = async (): Promise<void> => {
    while (manager.healthPort() === undefined) await clock.settle();
    await clock.settle();
  };
  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${manager.healthPort()}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
  const ended = async () => (await running, end);
  cleanUp.push(async () => {
    abort.abort();
    // What does not stop by itself is given up after its time.
    while (!(await Promise.race([running, clock.advance(60_000)]))) await clock.settle();
  });
  return { manager, clock, cache, happened, lines, stop: () => abort.abort(), listening, get, ended, end: () => end };
}

/** Runs until it is told to stop, and a little longer if it is told so. */
function obedient(name: string, runs: Runnable['runs'], happened: string[], lingers?: Promise<void>): Runnable {
  return {
    name,
    runs,
    run: async (signal) => {
      happened.push(`${name} starts`);
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      });
      await lingers;
      happened.push(`${name} stops`);
    },
  };
}

function createHandDrivenElector(happened: string[]) {
  const won = Promise.withResolvers<void>();
  const lost = new AbortController();
  const elector: Pick<LeaderElector, 'run'> = {
    run: async (signal, whileLeading) => {
      happened.push('candidate');
      await won.promise;
      await whileLeading({ signal: AbortSignal.any([signal, lost.signal]), number: 1 });
      happened.push('lease released');
    },
  };
  const lose = (): void => lost.abort(new OperatorError('leader/lost', 'lost', { kind: 'backoff' }));
  return { elector, win: won.resolve, lose };
}

describe('start and stop', () => {
  test('caches and what always runs come first, leadership only with complete caches; the stop goes the other way', async () => {
    const events: string[] = [];
    const { elector, win } = createHandDrivenElector(events);
    const { cache, clock, stop, listening, ended, happened } = start(
      () => ({ runnables: [obedient('lead', 'leader', events), obedient('always', 'always', events)] }),
      { elector },
    );
    await listening();
    expect([happened, events]).toEqual([['caches start'], ['always starts']]);
    cache.completeSync();
    await clock.settle();
    expect(events).toEqual(['always starts', 'candidate']);
    win();
    await clock.settle();
    expect(events).toEqual(['always starts', 'candidate', 'lead starts']);
    stop();
    expect(await ended()).toEqual({});
    expect(events.slice(3)).toEqual(['always stops', 'lead stops', 'lease released']);
    expect([happened, clock.pending()]).toEqual([['caches start', 'caches stop'], 0]);
  });

  test('without an elector what runs on the leader runs once the caches are complete', async () => {
    const { cache, clock, listening, happened } = start((events) => ({
      runnables: [obedient('lead', 'leader', events)],
    }));
    await listening();
    expect(happened).toEqual(['caches start']);
    cache.completeSync();
    await clock.settle();
    expect(happened).toEqual(['caches start', 'lead starts']);
  });

  test('caches that stay incomplete are told by their kinds, after a while and now and then, and no more once they are there', async () => {
    const { cache, clock, listening, lines } = start((events) => ({ runnables: [obedient('lead', 'leader', events)] }));
    await listening();
    await clock.advance(9000);
    expect(lines).toEqual([]);
    await clock.advance(62_000);
    expect(lines.map(({ level, waitsFor }) => [level, waitsFor])).toEqual([
      ['warn', ['pods.core/v1']],
      ['warn', ['pods.core/v1']],
    ]);
    cache.completeSync();
    await clock.advance(120_000);
    expect(lines).toHaveLength(2);
  });

  test('a stop while the caches fill is clean', async () => {
    const { stop, listening, ended } = start((events) => ({ runnables: [obedient('lead', 'leader', events)] }));
    await listening();
    stop();
    expect(await ended()).toEqual({});
  });

  test('a part that fails stops all others, and its error comes out', async () => {
    const error = new Error('broken');
    const broken: Runnable = { name: 'broken', runs: 'always', run: async () => Promise.reject(error) };
    const { ended, happened } = start((events) => ({ runnables: [obedient('other', 'always', events), broken] }));
    expect(await ended()).toEqual({ error });
    expect(happened).toEqual(['caches start', 'other starts', 'other stops', 'caches stop']);
  });

  test('when every part has ended by itself the work is done', async () => {
    const { ended } = start(() => ({ runnables: [{ name: 'once', runs: 'always', run: async () => undefined }] }));
    expect(await ended()).toEqual({});
  });

  test('what does not stop in time is named', async () => {
    const { clock, stop, listening, ended } = start((events) => ({
      runnables: [obedient('good', 'always', events), obedient('deaf', 'always', events, new Promise(() => undefined))],
    }));
    await listening();
    stop();
    await clock.advance(29_999);
    await clock.advance(1);
    expect(await ended()).toMatchObject({
      error: { code: 'manager/stop-timeout', message: 'not stopped after 30000 ms: deaf' },
    });
  });

  test('a lost lease ends everything at once, whatever still runs', async () => {
    const events: string[] = [];
    const { elector, win, lose } = createHandDrivenElector(events);
    const { cache, clock, listening, ended } = start(
      () => ({ runnables: [obedient('deaf', 'leader', events, new Promise(() => undefined))] }),
      { elector },
    );
    await listening();
    cache.completeSync();
    win();
    await clock.settle();
    lose();
    expect(await ended()).toMatchObject({ error: { code: 'leader/lost' } });
    expect(clock.monotonic()).toBe(0);
  });
});

describe('health and readiness', () => {
  test('readyz names the caches that are not there yet and passes when they are', async () => {
    const { cache, listening, get } = start((events) => ({ runnables: [obedient('a', 'always', events)] }));
    await listening();
    expect(await get('/readyz')).toEqual({
      status: 500,
      text: '[+]running ok\n[-]caches failed: not complete or not watching: pods.core/v1\nreadyz check failed\n',
    });
    cache.completeSync();
    expect(await get('/readyz?verbose')).toEqual({
      status: 200,
      text: '[+]running ok\n[+]caches ok\nreadyz check passed\n',
    });
  });

  test('a process that stops is healthy but not ready; one that hangs is neither', async () => {
    const linger = Promise.withResolvers<void>();
    const { manager, clock, cache, stop, listening } = start((events) => ({
      runnables: [obedient('a', 'always', events, linger.promise)],
    }));
    expect(manager.readiness().text).toContain('[-]running failed: not started');
    cache.completeSync();
    await listening();
    stop();
    expect([manager.health().passed, manager.readiness().text]).toEqual([
      true,
      '[-]running failed: shutting down\n[+]caches ok\nreadyz check failed\n',
    ]);
    await clock.advance(30_001);
    expect(manager.health().text).toContain('[-]shutdown failed: not done after 30000 ms');
  });

  test('healthz fails when the event loop was blocked for too long', async () => {
    let delayMs = 4999;
    const { listening, get } = start((events) => ({ runnables: [obedient('a', 'always', events)] }), {
      loopDelayMs: () => delayMs,
    });
    await listening();
    expect(await get('/healthz')).toEqual({
      status: 200,
      text: '[+]event-loop ok\n[+]shutdown ok\nhealthz check passed\n',
    });
    delayMs = 5001;
    expect(await get('/livez')).toMatchObject({ status: 500 });
    expect((await get('/healthz')).text).toContain('[-]event-loop failed: blocked for 5001 ms');
  });

  test('checks and handlers of your own answer too, and one that throws takes nothing with it', async () => {
    const { listening, get, lines } = start((events) => ({
      runnables: [obedient('a', 'always', events)],
      readyChecks: {
        own: () => {
          throw new Error('check is broken');
        },
      },
      handlers: {
        '/metrics': (_, response) => void response.end('up 1\n'),
        '/broken': async () => Promise.reject(new Error('handler is broken')),
      },
    }));
    await listening();
    expect((await get('/readyz')).text).toContain('[-]own failed: check is broken');
    expect(await get('/metrics')).toEqual({ status: 200, text: 'up 1\n' });
    expect(await get('/metrics', { method: 'POST' })).toMatchObject({ status: 405 });
    expect(await get('/broken')).toEqual({ status: 500, text: '' });
    expect(await get('/constructor')).toMatchObject({ status: 404 });
    expect(lines.map(({ message }) => message)).toEqual(['the health server could not answer']);
  });

  test('nothing listens when the address is 0', async () => {
    const { manager, clock, happened } = start((events) => ({
      runnables: [obedient('a', 'always', events)],
      healthAddress: '0',
    }));
    await clock.settle();
    expect([happened, manager.healthPort()]).toEqual([['caches start', 'a starts'], undefined]);
  });

  test('an address in use is a failure', async () => {
    const first = start((events) => ({ runnables: [obedient('a', 'always', events)] }));
    await first.listening();
    const second = start(() => ({ healthAddress: `127.0.0.1:${first.manager.healthPort()}` }));
    expect(await second.ended()).toMatchObject({ error: { code: 'EADDRINUSE' } });
    first.stop();
    await first.ended();
  });
});
