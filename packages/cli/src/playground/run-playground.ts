import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { configMapKind, connect, createLogger, createManager, crdKind, defineKind, keyOf } from '@tributary/runtime';
import type { Connection, Kind } from '@tributary/runtime';
import { createKubelet, createScheduler, startCluster } from '@tributary/sim-kubernetes';
import type { CommandShell } from '../sim-kubernetes.ts';
import { countCalls } from './count-calls.ts';
import { greetingScene } from './greeting-scene.ts';
import { showChanges } from './live-view.ts';
import type { Scene } from './scene.ts';

export type PlaygroundOptions = {
  readonly once: boolean;
  readonly json: boolean;
  readonly port: number;
  readonly kubeconfig: string;
  readonly scenes?: readonly Scene[];
  /** How long the examples may take. */
  readonly convergeMs?: number;
};

const allScenes: readonly Scene[] = [greetingScene];
const podKind = defineKind({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });

/** Runs all scenes in one embedded cluster. Resolves with whether every example became ready. */
export async function runPlayground(options: PlaygroundOptions, shell: CommandShell): Promise<boolean> {
  const { scenes = allScenes, convergeMs = 60_000 } = options;
  const startMs = performance.now();
  const say = options.json ? () => undefined : shell.say;
  mkdirSync(dirname(options.kubeconfig), { recursive: true });
  const cluster = await startCluster({
    port: options.port,
    kubeconfigPath: options.kubeconfig,
    actors: [createScheduler(), createKubelet({ nodes: ['node-1', 'node-2'] })],
  });
  const counted = countCalls(cluster.transport());
  const log = createLogger({ level: 'warn', destination: { write: (line) => say(line.trimEnd()) } });
  const connection = connect({ transport: counted.transport, log, userAgent: 'tributary-playground' });
  await installKinds(connection, scenes);
  say(`An embedded cluster is up at ${cluster.url}\n`);
  const stop = new AbortController();
  const runnables = scenes.flatMap((scene) => scene.operators(connection));
  const running = createManager({ runnables, healthAddress: '0' }, { ...connection, caches: [connection.cache] }).run(
    stop.signal,
  );
  const kinds = [...scenes.flatMap((scene) => scene.customKinds), configMapKind, podKind] as readonly Kind[];
  const hide = showChanges(connection, kinds, say);
  await applyExamples(connection, scenes);
  const converged = await untilReady(connection, scenes, convergeMs);
  const seconds = Math.round(performance.now() - startMs) / 1000;
  if (options.json)
    shell.say(JSON.stringify(toResult(connection, scenes, { converged, seconds, calls: counted.calls() })));
  if (!options.once) {
    say(`\n${hint(resolve(options.kubeconfig), scenes, converged)}`);
    await shell.until();
  }
  hide();
  stop.abort();
  await running;
  await cluster.stop();
  return converged;
}

async function installKinds({ client }: Connection, scenes: readonly Scene[]): Promise<void> {
  for (const kind of scenes.flatMap((scene) => scene.customKinds)) {
    await client.create(crdKind, { ...kind.toCrd() });
  }
}

async function applyExamples({ client }: Connection, scenes: readonly Scene[]): Promise<void> {
  for (const { kind, object } of scenes.flatMap((scene) => scene.examples)) await client.create(kind, object);
}

function pending({ cache }: Connection, scenes: readonly Scene[]): readonly string[] {
  return scenes.flatMap(({ examples, isReady }) =>
    examples
      .filter(({ kind, object }) => {
        const { namespace, name = '' } = object.metadata;
        const seen = cache.informer(kind).get({ namespace, name });
        return !seen || !isReady(seen);
      })
      .map(({ kind, object }) => `${kind.kind} ${keyOf(object)}`),
  );
}

/** Looks again at every change of an example, until the time is up. */
async function untilReady(connection: Connection, scenes: readonly Scene[], convergeMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const ends: (() => void)[] = [];
    const finish = (converged: boolean): void => {
      for (const end of ends.splice(0)) end();
      resolve(converged);
    };
    ends.push(connection.clock.after(convergeMs, () => finish(false)));
    const look = (): void => {
      if (pending(connection, scenes).length === 0) finish(true);
    };
    const kinds = new Set(scenes.flatMap((scene) => scene.examples.map(({ kind }) => kind)));
    for (const kind of kinds) ends.push(connection.cache.informer(kind).onChange(look));
    look();
  });
}

type Outcome = { readonly converged: boolean; readonly seconds: number; readonly calls: number };

function toResult(connection: Connection, scenes: readonly Scene[], { converged, seconds, calls }: Outcome): unknown {
  const objects = scenes.reduce((sum, { examples }) => sum + examples.length, 0);
  return { converged, seconds, objects, ready: objects - pending(connection, scenes).length, calls };
}

function hint(kubeconfig: string, scenes: readonly Scene[], converged: boolean): string {
  const commands = scenes.flatMap((scene) => scene.tryThis);
  return [
    `${converged ? 'Every example is ready.' : 'Not every example became ready.'} In another terminal:`,
    '',
    `  export KUBECONFIG=${kubeconfig}`,
    ...commands.map((line) => `  ${line}`),
    '',
    'Ctrl-C ends it.',
  ].join('\n');
}
