import type { KubeObject, Log } from '@tributary/runtime';
import { eventKind, secretKind } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { custom } from '../scenarios/testing/crash-objects.ts';
import type { World } from '../testing/world.ts';
import { buildTown, manifests, untilBuilt } from './testing/town.ts';

/** A secret that Cloudflare shows once, and one that we send to it. */
const password = 'the-secret-of-an-identity-provider';
const moreSecrets: readonly KubeObject[] = [
  custom('AccessServiceToken', 'ci', { cloudflare: {}, secretRef: { name: 'ci', namespace: 'default' } }),
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'gh' }, stringData: { CLIENT_SECRET: password } } as KubeObject,
  custom('AccessIdentityProvider', 'gh', {
    cloudflare: {},
    type: 'github',
    config: { clientId: 'id' },
    configSecretRef: { name: 'gh', namespace: 'default', key: 'CLIENT_SECRET' },
  }),
];
/** So that what it sends goes out once more. */
const another = custom('AccessIdentityProvider', 'gh', { config: { clientId: 'another' } });

describe('10. Secrets stay in Secrets', { timeout: 180_000 }, () => {
  let world: World | undefined;
  afterEach(async () => world?.stop());

  test('no token and no key is in an object, an event, a log line, an error or a metric, whatever went wrong', async () => {
    const lines: string[] = [];
    const made = (world = await buildTown({ replicas: 2, log: noting(lines), operator: { driftMs: 0 } }));
    await made.apply(moreSecrets);
    await untilBuilt(made);
    const before = secretsOf(made);
    await goWrong(made);
    const secrets = before.union(secretsOf(made));
    // The service token has had two: the loss of the first was seen, although nobody looks for drift.
    expect(secrets.size).toBeGreaterThan(before.size);
    const forms = [...secrets].flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
    const shown = {
      objects: storedTexts(made),
      events: made.list(eventKind).map((event) => JSON.stringify(event)),
      log: lines,
      metrics: (await made.metrics()).split('\n'),
    };
    for (const [where, texts] of Object.entries(shown)) {
      expect([where, texts.length > 0]).toEqual([where, true]);
      const leaks = texts.filter((text) => forms.some((secret) => text.includes(secret)));
      expect([where, ...leaks]).toEqual([where]);
    }
    // What went wrong was told, so there was something to hide.
    expect(lines.filter((line) => line.includes('[redacted]'))).not.toEqual([]);
  });
});

/** Refusals that quote secrets, a token that is not accepted, lost answers, and changes through all of it. */
async function goWrong(world: World): Promise<void> {
  const { sim } = world;
  const message = `${sim.token} is not what it was`;
  const quoted = { kind: 'refusal', status: 400, code: 9998, message: `no good: ${password}` } as const;
  sim.faults.arm({ match: { write: true, path: '*/identity_providers/*' }, fault: quoted, count: 2 });
  sim.faults.arm({ match: { write: true }, fault: { kind: 'refusal', status: 400, code: 9999, message }, count: 3 });
  await world.apply([...manifests({ version: 2 }), another]);
  await world.clock.advance(20_000);
  const match = { verb: 'write', resource: 'secrets', userAgent: 'replica-' } as const;
  world.cluster.faults.add({ match, fault: { kind: 'error', status: 500 }, times: 2 });
  await world.delete(secretKind, { namespace: 'default', name: 'ci' });
  sim.faults.arm({ fault: { kind: 'refusal', status: 403, code: 9109, message }, count: 4 });
  sim.faults.arm({ match: { write: true }, fault: { kind: 'dropped', when: 'after' }, count: 2 });
  await world.apply(manifests({ version: 3 }));
  await world.clock.advance(20 * 60_000);
  sim.faults.clear();
  await world.apply([...manifests(), ...moreSecrets]);
  await untilBuilt(world, 40 * 60_000);
}

/** The token of the API, what Secrets hold for others, and the secrets and run tokens of tunnels. */
function secretsOf(world: World): ReadonlySet<string> {
  const kept = world
    .list(secretKind)
    .flatMap(({ data }) => Object.entries(data ?? {}))
    .filter(([key]) => !key.endsWith('_ID'))
    .map(([, text]) => Buffer.from(text, 'base64').toString());
  const inside = kept.flatMap((text) =>
    [...text.matchAll(/"TunnelSecret":"([^"]+)"/g)].map(([, secret = '']) => secret),
  );
  return new Set([world.sim.token, password, ...kept, ...inside].filter(({ length }) => length > 15));
}

/** Everything in the store but Secrets. */
function storedTexts({ cluster }: World): readonly string[] {
  const snapshot = JSON.parse(JSON.stringify(cluster.store.snapshot())) as unknown;
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, metadata } = value as { readonly kind?: unknown; readonly metadata?: unknown };
    if (typeof kind === 'string' && metadata !== undefined) {
      if (kind !== 'Secret') texts.push(JSON.stringify(value));
      return;
    }
    Object.values(value).forEach(walk);
  };
  walk(snapshot);
  return texts;
}

function noting(lines: string[], bound: object = {}): Log {
  const note = (fields: object, message: string): void => {
    const plain = (_: string, value: unknown): unknown =>
      value instanceof Error
        ? { ...Object.fromEntries(Object.entries(value)), message: value.message, cause: value.cause }
        : value;
    lines.push(JSON.stringify({ ...bound, ...fields, message }, plain));
  };
  return {
    debug: note,
    info: note,
    warn: note,
    error: note,
    child: (fields) => noting(lines, { ...bound, ...fields }),
  };
}
