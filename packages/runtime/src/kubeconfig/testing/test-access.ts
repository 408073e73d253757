/** For tests: a world for kubeconfigs, with files in memory, a simulated clock and commands that are functions. */
import { createSimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import type { SimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import { toYaml } from '../../yaml/to-yaml.ts';
import type { AccessDeps, ClusterAccess, CommandRun } from '../cluster-access.ts';
import { loadClusterAccess } from '../load-cluster-access.ts';
import type { LoadOptions } from '../load-cluster-access.ts';

export type World = {
  readonly deps: AccessDeps;
  readonly clock: SimulatedClock;
  readonly files: Map<string, string>;
  readonly runs: CommandRun[];
};

export type WorldOptions = {
  readonly files?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
  readonly run?: AccessDeps['run'];
};

/** Values of files that are no text are written as YAML. */
export function createWorld({ files = {}, env = {}, terminal = false, run }: WorldOptions = {}): World {
  const clock = createSimulatedClock();
  const content = new Map(
    Object.entries(files).map(([path, value]) => [path, typeof value === 'string' ? value : toYaml(value)]),
  );
  const runs: CommandRun[] = [];
  const deps: AccessDeps = {
    env,
    homeDir: '/home/me',
    isTerminal: () => terminal,
    readFile: async (path) => {
      const found = content.get(path);
      if (found === undefined)
        throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' });
      return found;
    },
    modifiedMs: async () => 0,
    run: async (command) => {
      runs.push(command);
      return run === undefined ? { exitCode: 127, stdout: '' } : run(command);
    },
    clock,
  };
  return { deps, clock, files: content, runs };
}

/** A kubeconfig with one cluster, user and context. */
export function oneContext(cluster: object = {}, user: object = {}, context: object = {}): object {
  return {
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server: 'https://k:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', ...context } }],
  };
}

export async function load(
  config: unknown,
  world: WorldOptions = {},
  options: LoadOptions = {},
): Promise<ClusterAccess> {
  const { deps } = createWorld({ ...world, files: { '/home/me/.kube/config': config, ...world.files } });
  return loadClusterAccess(options, deps);
}

export async function headersOf(access: Pick<ClusterAccess, 'auth'>): Promise<unknown> {
  return (await access.auth.credentials()).headers;
}

export const pem = '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n';
export const pemData = Buffer.from(pem).toString('base64');
