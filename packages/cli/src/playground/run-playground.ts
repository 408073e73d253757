import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { connect, createLogger, createManager, crdKind, defineKind } from '@tributary/runtime';
import type { AnyObject, Connection, Kind } from '@tributary/runtime';
import { createKubelet, createNodeLifecycle, createScheduler, startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import type { CommandShell } from '../command-shell.ts';
import { allScenes } from './all-scenes.ts';
import { countCalls } from './count-calls.ts';
import { applyExamples, pendingExamples, untilReady } from './examples.ts';
import { showChanges, withElapsedTime } from './live-view.ts';
import type { OpenScene, Scene } from './scene.ts';

export type PlaygroundOptions = {
  readonly once: boolean;
  readonly json: boolean;
  readonly port: number;
  readonly kubeconfig: string;
  readonly scenes?: readonly Scene[];
  /** How long the examples may take. */
  readonly convergeMs?: number;
};

const podKind = defineKind({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });

/** Runs all scenes in one embedded cluster. Resolves with whether every example became ready. */
export async function runPlayground(options: PlaygroundOptions, shell: CommandShell): Promise<boolean> {
  const { scenes = allScenes } = options;
  const startMs = performance.now();
  const say = options.json ? () => undefined : shell.say;
  const cluster = await startStage(options, scenes);
  const counted = countCalls(cluster.transport());
  const log = createLogger({ level: 'error', destination: { write: (line) => say(line.trimEnd()) } });
  const connection = connect({ transport: counted.transport, log, userAgent: 'tributary-playground' });
  await installKinds(connection, scenes);
  say(`An embedded cluster is up at ${cluster.url}`);
  const tell = withElapsedTime(connection.clock, say);
  const kindOf = createKindOf(cluster);
  const open = await Promise.all(scenes.map(async (scene) => scene.open({ connection, tell, kindOf })));
  for (const line of open.flatMap(({ facts }) => facts)) say(line);
  say('');
  const stop = new AbortController();
  const runnables = open.flatMap(({ operators }) => operators);
  const manager = createManager({ runnables, healthAddress: '0' }, { ...connection, caches: [connection.cache] });
  const running = manager.run(stop.signal);
  const hide = showChanges(connection, shownKinds(scenes, open), tell);
  try {
    return await play(options, { ...shell, say }, connection, open, (converged) => {
      const seconds = Math.round(performance.now() - startMs) / 1000;
      const calls = counted.calls() + open.reduce((sum, scene) => sum + scene.providerCalls(), 0);
      if (options.json) shell.say(JSON.stringify(toResult(connection, open, { converged, seconds, calls })));
    });
  } finally {
    hide();
    stop.abort();
    await running;
    await Promise.all(open.map(async (scene) => scene.close()));
    await cluster.stop();
  }
}

async function play(
  { once, kubeconfig, convergeMs = 60_000 }: PlaygroundOptions,
  { say, until }: CommandShell,
  connection: Connection,
  open: readonly OpenScene[],
  report: (converged: boolean) => void,
): Promise<boolean> {
  await applyExamples(connection, open);
  const converged = await untilReady(connection, open, convergeMs);
  report(converged);
  say(`\n${verdict(connection, open, converged)}`);
  if (!once) {
    say(`\n${hint(resolve(kubeconfig), open)}`);
    await until();
  }
  return converged;
}

async function startStage({ port, kubeconfig }: PlaygroundOptions, scenes: readonly Scene[]): Promise<Cluster> {
  mkdirSync(dirname(kubeconfig), { recursive: true });
  return startCluster({
    port,
    kubeconfigPath: kubeconfig,
    converters: Object.assign({}, ...scenes.map((scene) => scene.converters)) as NonNullable<Scene['converters']>,
    actors: [createScheduler(), createKubelet({ nodes: ['node-1', 'node-2'] }), createNodeLifecycle()],
  });
}

async function installKinds({ client }: Connection, scenes: readonly Scene[]): Promise<void> {
  for (const kind of scenes.flatMap((scene) => scene.customKinds)) {
    await client.create(crdKind, { ...kind.toCrd() });
  }
}

function createKindOf({ registry }: Cluster): (object: AnyObject) => Kind {
  return ({ apiVersion = '', kind = '' }) => {
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    const type = registry.findKind(group, version, kind);
    if (!type) throw new Error(`an example is of a kind that is not served: ${apiVersion} ${kind}`);
    return { ...type, scope: type.namespaced ? 'Namespaced' : 'Cluster' };
  };
}

function shownKinds(scenes: readonly Scene[], open: readonly OpenScene[]): readonly Kind[] {
  const kinds = [...scenes.flatMap((scene) => scene.customKinds), ...open.flatMap(({ shown }) => shown), podKind];
  return [...new Set(kinds as readonly Kind[])];
}

type Outcome = { readonly converged: boolean; readonly seconds: number; readonly calls: number };

function toResult(connection: Connection, open: readonly OpenScene[], { converged, seconds, calls }: Outcome): unknown {
  const objects = open.reduce((sum, { examples }) => sum + examples.length, 0);
  return { converged, seconds, objects, ready: objects - pendingExamples(connection, open).length, calls };
}

function verdict(connection: Connection, open: readonly OpenScene[], converged: boolean): string {
  if (converged) return 'Every example is ready.';
  return ['Not every example became ready:', ...pendingExamples(connection, open).map((name) => `  ${name}`)].join(
    '\n',
  );
}

function hint(kubeconfig: string, open: readonly OpenScene[]): string {
  return [
    'In another terminal:',
    '',
    `  export KUBECONFIG=${kubeconfig}`,
    ...open.flatMap(({ tryThis }) => tryThis).map((line) => `  ${line}`),
    '',
    'Ctrl-C ends it.',
  ].join('\n');
}
