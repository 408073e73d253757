import type { HttpRequest, Transport } from '@tributary/runtime';
import type { CloudflareOperatorDeps } from '../../operator.ts';
import type { InstalledCluster } from './installed-cluster.ts';
import { runOperator } from './running-operator.ts';
import type { RunningOperator } from './running-operator.ts';

export const moments = ['before', 'after', 'answer-lost'] as const;
export type Moment = (typeof moments)[number];

/** Says of each write, on either side, whether the process dies at it, and when. */
export type Fate = (write: string) => Moment | undefined;

export type Mortal = {
  /** Dead by its fate, or gone by itself, as one is that was too slow to keep its lease. */
  readonly isDead: () => boolean;
  readonly stop: () => Promise<void>;
};

/** An operator that dies where its fate says so: the dead send nothing, hear nothing, and give no lease back. */
export function runMortal(cluster: InstalledCluster, name: string, fate: Fate): Mortal {
  let isDead = false;
  const running: { operator?: RunningOperator } = {};
  const die = (): void => {
    if (isDead) return;
    isDead = true;
    running.operator?.abandon();
  };
  const sim = cluster.sim.fetch;
  const play = async <T>(write: string | undefined, send: () => Promise<T>): Promise<T> => {
    if (isDead) return never();
    const moment = write === undefined ? undefined : fate(write);
    if (moment === 'before') die();
    if (isDead) return never();
    const answer = await send();
    if (moment === 'answer-lost') die();
    if (isDead) return never();
    if (moment === 'after') setImmediate(die);
    return answer;
  };
  const transport = mortalTransport(cluster.ownTransport(), play, () => isDead);
  const fetch: CloudflareOperatorDeps['fetch'] = async (url, init) => {
    const method = init?.method ?? 'GET';
    return play(method === 'GET' ? undefined : `${method} ${new URL(url).pathname}`, async () => sim(url, init));
  };
  // Records of all lives go within minutes, which nobody has to approve here.
  const operator = { debounce: { quietMs: 100, maxMs: 500 }, breaker: { most: 10_000, share: 1 } };
  running.operator = runOperator(cluster, { name, transport, fetch, leaseMs: 2000, operator });
  return {
    isDead: () => isDead || running.operator?.failure() !== undefined,
    stop: async () => {
      if (!isDead) await running.operator?.stop();
    },
  };
}

type Play = <T>(write: string | undefined, send: () => Promise<T>) => Promise<T>;

function mortalTransport(inner: Transport, play: Play, isDead: () => boolean): Transport {
  return {
    ...inner,
    request: async (request) => play(toWrite(request), async () => inner.request(request)),
    stream: async (request, handler) =>
      play(undefined, async () =>
        inner.stream(request, { ...handler, onChunk: (chunk) => (isDead() ? undefined : handler.onChunk(chunk)) }),
      ),
  };
}

/** Leases and Events are renewed and repeated by themselves. */
function toWrite({ method, path }: HttpRequest): string | undefined {
  const [place = ''] = path.split('?');
  return method === 'GET' || /\/(leases|events)(\/|$)/.test(place) ? undefined : `${method} ${place}`;
}

async function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}
