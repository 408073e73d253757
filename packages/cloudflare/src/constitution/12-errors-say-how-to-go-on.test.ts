import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCondition, secretKind } from '@tributary/runtime';
import type { Condition } from '@tributary/runtime';
import type { Fault } from '@tributary/sim-cloudflare';
import { afterEach, describe, expect, test } from 'vitest';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { dnsRecord } from '../scenarios/testing/crash-objects.ts';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { callsOf } from './testing/town.ts';

const packages = join(import.meta.dirname, '..', '..', '..');
const sources = ['cloudflare/src', 'cloudflare-api/src', 'runtime/src'].flatMap((folder) =>
  readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|testing\/|(^|\/)test-/.test(path))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(packages, folder, path), 'utf8') })),
);

/** Ways to ask a text what only a code should be asked. */
const matching = [
  /\.(message|detail)\s*\)?\.(includes|match|startsWith|endsWith|search|indexOf)\(/,
  /\.test\(\s*(?:\w+\.)*(error|err|cause|failure)\.(message|detail)/,
  /String\((error|err)\)\.(includes|match)/,
  /\.(message|detail)\s*===?\s*['"`]/,
];

const refusal = (status: number, code: number, message: string): Fault => ({ kind: 'refusal', status, code, message });

type Row = readonly [name: string, fault: Fault, reason: string, retry: 'never' | 'later', next: string];

/** Kinds have a word of their own for what is nobody's fault and passes; a DNSRecord that of the original. */
const table: readonly Row[] = [
  ['validation', refusal(400, 9005, 'Content is invalid.'), 'ValidationFailed', 'never', 'not tried again as it is'],
  ['permission', refusal(403, 9109, 'Unauthorized'), 'PermissionDenied', 'later', 'tried again now and then'],
  ['quota', refusal(400, 81045, 'Record quota exceeded.'), 'QuotaExceeded', 'later', 'tried again now and then'],
  ['server error', { kind: 'server-error', when: 'before' }, 'ReconcileError', 'later', 'tried again by itself'],
  ['no answer', { kind: 'dropped', when: 'before' }, 'ReconcileError', 'later', 'tried again by itself'],
  ['too much', { kind: 'rate-limited', retryAfterSeconds: 60 }, 'RateLimited', 'later', 'as soon as Cloudflare allows'],
];

describe('12. Errors say how to go on', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('no text of an error is matched anywhere', () => {
    expect(sources.length).toBeGreaterThan(200);
    const found = sources.filter(({ text }) => matching.some((pattern) => pattern.test(text))).map(({ path }) => path);
    expect(found).toEqual([]);
  });

  test.each(table)('%s: told within seconds, with what comes next', async (_name, fault, reason, retry, next) => {
    const made = (world = await createWorld({ operator: { driftMs: 0 } }));
    await made.applyCredentials();
    await made.clock.advance(10_000);
    const id = made.sim.faults.arm({ match: { write: true }, fault, count: 'always' });
    await made.apply(dnsRecord('www', { content: '192.0.2.1' }));
    await made.waitFor(() => ready(made)?.reason === reason, 5000);
    expect(ready(made)?.message).toContain(next);
    made.clearCounts();
    await made.clock.advance(20 * 60_000);
    const writes = callsOf(made).filter((call) => !call.startsWith('GET ')).length;
    expect(writes > 0).toBe(retry === 'later');
    expect(writes).toBeLessThan(25);
    made.kill('replica-1');
    made.sim.faults.disarm(id);
    made.start('replica-2');
    await made.clock.advance(16 * 60_000);
    // What was refused for good is not tried again, also by another process, until the wish is another.
    expect(ready(made)?.status).toBe(retry === 'later' ? 'True' : 'False');
    await made.apply(dnsRecord('www', { content: '192.0.2.2' }));
    await made.waitFor(() => ready(made)?.status === 'True');
  });

  test('a token that is not accepted is told, and a new one in the Secret is enough', async () => {
    const made = (world = await createWorld({ operator: { driftMs: 0 } }));
    await made.applyCredentials();
    const ref = { namespace: 'cloudflare-operator-system', name: 'main-token' };
    const put = async (token: string): Promise<unknown> =>
      made.user.client.patch(secretKind, ref, { type: 'merge', body: { stringData: { CLOUDFLARE_API_TOKEN: token } } });
    await put('x'.repeat(40));
    await made.clock.advance(5000);
    await made.apply(dnsRecord('www', { content: '192.0.2.1' }));
    await made.clock.advance(60_000);
    expect(ready(made)?.status).not.toBe('True');
    await put(made.sim.token);
    await made.waitFor(() => ready(made)?.status === 'True', 30_000);
  });
});

function ready(world: World): Condition | undefined {
  const record = world.get(dnsRecordKind, { namespace: 'default', name: 'www' });
  return getCondition<Condition>(record?.status?.conditions, 'Ready');
}
