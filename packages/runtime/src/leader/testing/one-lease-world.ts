import { createSimulatedClock } from '../../../../testkit/src/simulated-clock.ts';
import { createRecordingLog } from '../../controller/testing/recording-log.ts';
import { createLeaseServer } from './lease-server.ts';
import { startReplica } from './replica.ts';
import type { ReplicaOptions } from './replica.ts';
import { createSimulatedProcess } from './simulated-process.ts';
import type { NetworkFate } from './simulated-process.ts';

/** A world in which everything is at once and nothing random, unless the test says so through `network`. */
export function createOneLeaseWorld() {
  const world = createSimulatedClock();
  const server = createLeaseServer(() => world.monotonic());
  const network: { fate: NetworkFate } = { fate: { connectMs: 0, thereMs: 0, backMs: 0 } };
  let booted = 0;

  const boot = (options: ReplicaOptions = {}, wallSkewMs = 0) => {
    booted += 1;
    const number = booted / 2 ** 12;
    const process = createSimulatedProcess({
      world,
      server,
      fate: () => network.fate,
      random: () => number,
      wallSkewMs,
    });
    const { log, lines } = createRecordingLog();
    const lost: string[] = [];
    const onLost = (error: Error): void => void lost.push(error.message);
    const replica = startReplica(process, { onLost, ...options }, { random: () => number, log });
    return { ...replica, process, lines, lost };
  };
  return { world, server, network, boot };
}

export const perfect: NetworkFate = { connectMs: 0, thereMs: 0, backMs: 0 };
export const dead: NetworkFate = { ...perfect, lost: 'request' };
