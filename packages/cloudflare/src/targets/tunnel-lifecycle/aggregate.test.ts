import { expect, test } from 'vitest';
import type { Source } from '../../engine/l4-state/source.ts';
import { aggregateLifecycle } from './aggregate.ts';
import type { TunnelLifecycleConfig } from './contract.ts';
import { toSecrets } from './tunnel-secrets.ts';

function source(name: string, action: 'create' | 'use'): Source<TunnelLifecycleConfig> {
  const owner = { apiVersion: 'networking.cloudflare-operator.io/v1alpha2', kind: 'Tunnel', name, uid: `uid-${name}` };
  const secrets = { namespace: 'edge', token: `${name}-token`, credentials: name, owner };
  return {
    ref: { kind: 'Tunnel', namespace: 'edge', name },
    config: { action, tunnelName: 'main', secrets },
    priority: 10,
    createdAt: '2026-01-01T00:00:00Z',
  };
}

test('of two objects that would create one tunnel the first has it, and the other gets no token and is told', () => {
  const [first, second] = [source('first', 'create'), source('second', 'create')];
  const { desired, losers } = aggregateLifecycle([first, second]);
  expect(desired).toEqual({ create: true, name: 'main', secrets: [first.config.secrets] });
  expect(losers).toEqual([
    {
      ref: second.ref,
      what: 'tunnel main',
      winner: first.ref,
      reason: 'Tunnel/edge/first creates it; use existingTunnel to share it',
    },
  ]);
});

test('objects that use a tunnel share it with the one that creates it', () => {
  const [user, maker] = [source('user', 'use'), source('maker', 'create')];
  const { desired, losers } = aggregateLifecycle([user, maker]);
  expect(desired).toMatchObject({ create: true, secrets: [user.config.secrets, maker.config.secrets] });
  expect(losers).toEqual([]);
  expect(aggregateLifecycle([user]).desired.create).toBe(false);
});

test('the token is a Secret, and in it is all that a credentials file needs', () => {
  const token = Buffer.from(JSON.stringify({ a: 'acc', t: 'tun', s: 'c2VjcmV0' })).toString('base64');
  const [first, second, ...more] = toSecrets(token, 'main', [source('x', 'use').config.secrets]);
  expect(first).toMatchObject({ namespace: 'edge', name: 'x-token', data: { token }, owner: { uid: 'uid-x' } });
  expect(second?.name).toBe('x');
  expect(JSON.parse(second?.data['credentials.json'] ?? '')).toEqual({
    AccountTag: 'acc',
    TunnelSecret: 'c2VjcmV0',
    TunnelID: 'tun',
    TunnelName: 'main',
  });
  expect(more).toEqual([]);
});

test('a token of a form that we do not know is still a token', () => {
  expect(toSecrets('???', 'main', [source('x', 'use').config.secrets]).map(({ name }) => name)).toEqual(['x-token']);
});
