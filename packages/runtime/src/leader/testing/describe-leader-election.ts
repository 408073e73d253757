import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sleep, systemClock } from '../../clock.ts';
import type { ReplicaArguments } from './replica-main.ts';
import { startReplicaTeam } from './replica-team.ts';
import type { ReplicaTeam } from './replica-team.ts';
import type { SpawnedReplica } from './spawn-replica.ts';
import type { LedgerWrite } from './write-history.ts';

type Times = ReplicaArguments['times'];
type Stage = { readonly team: ReplicaTeam; readonly times: Times; readonly takeoverMs: Record<string, number[]> };

/** Three replicas against the real API server; the leader is killed, frozen and stopped, again and again. */
export function describeLeaderElection(times: Times, rounds: number): void {
  describe(`three replicas with a lease of ${times.leaseDurationMs} ms`, () => {
    const takeoverMs: Record<string, number[]> = {};
    let team: ReplicaTeam;
    beforeAll(async () => {
      team = await startReplicaTeam(times);
    });
    afterAll(async () => {
      process.stdout.write(`takeover in ms: ${JSON.stringify(takeoverMs)}\n`);
      await team.close();
    });

    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, act] of Object.entries(acts)) {
        test(`round ${round}: ${name}`, async () => {
          expect.hasAssertions();
          await act({ team, times, takeoverMs });
          await team.fill();
        });
      }
    }

    test('in the whole history no two writers ever took turns', () => {
      expect(team.history.writes.length).toBeGreaterThan(rounds * 100);
      expect(findTurns(team.history.writes)).toEqual([]);
    });
  });
}

const acts: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'after kill -9 another one writes within lease + 2 s': async (stage) => {
    const leader = await leaveOffice(stage, 'SIGKILL', stage.times.leaseDurationMs + 2000);
    expect(await leader.exited).toBe('SIGKILL');
  },

  'a leader that was frozen writes nothing when it resumes, and exits with 1': async (stage) => {
    const leader = await leaveOffice(stage, 'SIGSTOP', stage.times.leaseDurationMs + 2000);
    await sleep(systemClock, stage.times.retryPeriodMs);
    const before = stage.team.writesBy(leader).length;
    await resume(stage, leader);
    expect(stage.team.writesBy(leader).length).toBe(before);
  },

  'one that was frozen past its deadline makes no new write, though nobody has taken over yet': async (stage) => {
    const leader = await stage.team.leader();
    leader.kill('SIGSTOP');
    await sleep(systemClock, (stage.times.renewDeadlineMs + stage.times.leaseDurationMs) / 2);
    await resume(stage, leader);
  },

  'a leader that is asked to stop hands over at once and exits with 0': async (stage) => {
    const leader = await leaveOffice(stage, 'SIGTERM', 2000);
    expect(await leader.exited).toBe(0);
  },
};

async function leaveOffice(
  { team, times, takeoverMs }: Stage,
  how: NodeJS.Signals,
  limitMs: number,
): Promise<SpawnedReplica> {
  const leader = await team.leader();
  // Not always right after a renewal.
  await sleep(systemClock, Math.random() * times.retryPeriodMs * 2);
  const from = systemClock.monotonic();
  leader.kill(how);
  const { seenAt } = await team.history.next(({ by }) => by !== leader.identity, limitMs);
  (takeoverMs[how] ??= []).push(Math.round(seenAt - from));
  return leader;
}

/**
 * Nothing that the leader made after it resumed may land. What it had made before, and passed through the fence just
 * when it was frozen, the server alone can refuse, and does once another leader has written.
 */
async function resume({ team, times }: Stage, leader: SpawnedReplica): Promise<void> {
  const resumedAt = systemClock.now();
  leader.kill('SIGCONT');
  expect(await leader.exited).toBe(1);
  await sleep(systemClock, times.retryPeriodMs);
  expect(team.writesBy(leader).filter(({ madeAt }) => madeAt >= resumedAt)).toEqual([]);
}

/** Each term has one writer, and once a term has written no earlier one does. */
function findTurns(writes: readonly LedgerWrite[]): readonly string[] {
  const faults: string[] = [];
  let last: LedgerWrite | undefined;
  for (const write of writes) {
    if (last && (write.term < last.term || (write.term === last.term && write.by !== last.by))) {
      faults.push(`${write.by} in term ${write.term} after ${last.by} in term ${last.term}`);
    }
    last = write;
  }
  return faults;
}
