import { describe, expect, test } from 'vitest';
import { contributors } from './catalog.ts';
import { toOperatorOptions } from './main.ts';
import type { CloudflareFlags } from './main.ts';

const flags: CloudflareFlags = {
  leaderElect: true,
  metricsBindAddress: '0',
  healthProbeBindAddress: '0',
  watchNamespaces: ['shop', 'blog'],
  debounceMs: 700,
  maxWaitMs: 3000,
  driftIntervalMs: 60_000,
  maxDeletions: 7,
  maxDeletionShare: 40,
};

test('every flag reaches the operator', () => {
  expect(toOperatorOptions(flags, {})).toEqual({
    operatorNamespace: 'cloudflare-operator-system',
    watchNamespaces: ['shop', 'blog'],
    debounce: { quietMs: 700, maxMs: 3000 },
    driftMs: 60_000,
    breaker: { most: 7, share: 0.4 },
    baseUrl: undefined,
    identity: '',
  });
});

test('the namespace is that of the flag, then that of the pod', () => {
  const env = { POD_NAMESPACE: 'pods', POD_NAME: 'pod-1' };
  expect(toOperatorOptions(flags, env)).toMatchObject({ operatorNamespace: 'pods', identity: 'pod-1' });
  const named = toOperatorOptions({ ...flags, clusterResourceNamespace: 'named' }, env);
  expect(named.operatorNamespace).toBe('named');
});

test('bindings may overwrite only where that is said', () => {
  const bold = toOperatorOptions({ ...flags, overwriteUnmanagedDns: true }, {}).contributors ?? [];
  const others = contributors.filter((contributor) => !bold.includes(contributor));
  expect([bold.length, others.map(({ kind }) => kind.kind)]).toEqual([contributors.length, ['TunnelBinding']]);
});

describe('CLOUDFLARE_API_BASE_URL', () => {
  const optionsFor = (text: string) => toOperatorOptions(flags, { CLOUDFLARE_API_BASE_URL: text });

  test('names another API; empty is as good as absent', () => {
    expect(optionsFor('http://127.0.0.1:8787/client/v4').baseUrl).toBe('http://127.0.0.1:8787/client/v4');
    expect(optionsFor('').baseUrl).toBeUndefined();
  });

  test.each(['localhost:8787', 'api.cloudflare.com', 'ftp://api', 'http://'])('"%s" is refused by its name', (text) => {
    expect(() => optionsFor(text)).toThrow(`CLOUDFLARE_API_BASE_URL: "${text}" is no address`);
  });
});
