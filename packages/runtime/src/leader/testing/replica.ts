import { createKubeClient } from '../../client/create-kube-client.ts';
import { sleep } from '../../clock.ts';
import { defineKind } from '../../kind.ts';
import { silentLog } from '../../log.ts';
import type { Log } from '../../log.ts';
import { createFencedTransport } from '../fenced-transport.ts';
import { createLeaderElector } from '../leader-elector.ts';
import type { LeaderElector, LeaderElectorOptions, Term } from '../leader-elector.ts';
import type { SimulatedProcess } from './simulated-process.ts';

const configMap = defineKind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});

/** One replica of an operator: it contends for the lease, and while it leads it writes again and again. */
export type Replica = {
  readonly elector: LeaderElector;
  readonly stop: () => void;
  /** How `run` ended; undefined while it runs. */
  readonly end: () => { readonly error?: unknown } | undefined;
  readonly terms: readonly number[];
};

export type ReplicaOptions = Partial<LeaderElectorOptions> & {
  readonly writeEveryMs?: number;
  readonly whileLeading?: (term: Term) => Promise<void>;
};

export function startReplica(
  process: SimulatedProcess,
  options: ReplicaOptions,
  { random, log = silentLog }: { readonly random: () => number; readonly log?: Log },
): Replica {
  const { clock, transport } = process;
  const { writeEveryMs = 200, whileLeading, ...electorOptions } = options;
  const elector = createLeaderElector(
    { lease: { namespace: 'kube-system', name: 'operator' }, identity: 'replica', ...electorOptions },
    { client: createKubeClient({ transport }, { clock }), clock, random, log },
  );
  const writer = createKubeClient({ transport: createFencedTransport(transport, elector.fence) }, { clock });
  const write = async (term: number): Promise<unknown> => {
    const data = { by: elector.identity, term: String(term) };
    return writer.patch(configMap, { namespace: 'n', name: 'log' }, { type: 'merge', body: { data } });
  };
  /** As careless as can be: it looks at nothing but its own loop, the fence has to hold. */
  const writeOn = async ({ signal, number }: Term): Promise<void> => {
    while (!signal.aborted) {
      await sleep(clock, writeEveryMs * (0.5 + random()));
      void write(number).catch(() => undefined);
    }
  };
  const stop = new AbortController();
  const terms: number[] = [];
  let end: { readonly error?: unknown } | undefined;
  void elector
    .run(stop.signal, async (term) => {
      terms.push(term.number);
      await (whileLeading ?? writeOn)(term);
    })
    .then(
      () => (end = {}),
      (error: unknown) => (end = { error }),
    );
  return { elector, stop: () => stop.abort(), end: () => end, terms };
}
