import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import type { World } from '../testing/world.ts';
import { buildTown, callsOf, manifests, untilBuilt } from './testing/town.ts';

const root = join(import.meta.dirname, '..');
const modules = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('testing/'))
  .filter((path) => !path.startsWith('constitution/') && !path.startsWith('seeds/'));
const importsOf = (path: string): readonly string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/(?:^|\n)(?:import|export)\s[^;]*?from\s+'([^']+)'/g)]
    .map(([, from = '']) => from)
    .map((from) => (from.startsWith('.') ? relative(root, join(root, dirname(path), from)) : from));

function reachableFrom(path: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  if (modules.includes(path)) for (const next of importsOf(path)) reachableFrom(next, seen);
  return seen;
}

/** What talks to the world outside without asking layer 6. */
const wires = ['@tributary/cloudflare-api', 'cloudflare', 'undici', 'node:http', 'node:https', 'node:tls'];

describe('1. One caller', () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('what runs on every replica reaches no client, not through a third file', () => {
    const everywhere = modules.filter((path) => /^(kinds|refs|engine\/l[234]-)/.test(path));
    expect(everywhere.length).toBeGreaterThan(60);
    const reaching = everywhere.filter((path) => {
      const reached = reachableFrom(path);
      return wires.some((wire) => reached.has(wire));
    });
    expect(reaching).toEqual([]);
  });

  test('the scan sees what it looks for: layer 5 and the targets do reach the client', () => {
    const callers = modules.filter((path) => reachableFrom(path).has('@tributary/cloudflare-api'));
    expect(callers).toEqual(
      expect.arrayContaining(['targets/dns-record/sync.ts', 'engine/l5-sync/sync-controller.ts']),
    );
  });

  test('no file opens a socket of its own or uses the global fetch', () => {
    const sockets = modules.filter((path) =>
      /import \{(?! isIP)[^}]*\} from 'node:net'/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(sockets).toEqual([]);
    const users = modules.filter((path) => /(?<![.\w])fetch\(/.test(readFileSync(join(root, path), 'utf8')));
    expect(users.filter((path) => path !== 'engine/l5-sync/fenced-fetch.ts')).toEqual([]);
  });

  test('of three replicas only the leader calls, and none while nobody leads', { timeout: 180_000 }, async () => {
    world = await buildTown({ replicas: 3 });
    const first = world.leader() ?? '';
    expect(world.callers()).toEqual([first]);

    world.kill(first);
    world.sim.journal.clear();
    await world.apply(manifests({ version: 2 }));
    await world.clock.advance(5000);
    expect(world.leader()).toBeUndefined();
    // Layers 2 and 3 work on without a leader, and still nobody calls.
    expect(world.list(syncStateKind).filter(({ metadata }) => (metadata.generation ?? 0) > 1).length).toBeGreaterThan(
      0,
    );
    expect(callsOf(world)).toEqual([]);

    await untilBuilt(world);
    expect(world.callers()).toEqual(expect.arrayContaining([first, world.leader()]));
    expect(world.callers()).toHaveLength(2);
  });
});
