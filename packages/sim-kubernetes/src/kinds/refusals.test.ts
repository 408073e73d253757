import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { captureRefusals } from '../../../../tools/generate/builtin-golden-refusals.ts';
import type { Refusal } from '../../../../tools/generate/builtin-golden-refusals.ts';
import { startCluster } from '../start-cluster.ts';
import type { Cluster } from '../start-cluster.ts';

const file = new URL('golden/refusals.json', import.meta.url);
const { refusals } = JSON.parse(readFileSync(file, 'utf8')) as { readonly refusals: readonly Refusal[] };

describe('what the real server refuses, ours refuses in the same words', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ listen: false });
  });

  async function send(method: string, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await cluster.handler({
      method,
      path,
      query: new URLSearchParams(),
      headers: { authorization: `Bearer ${cluster.token}`, 'content-type': type },
      body: new TextEncoder().encode(JSON.stringify(body)),
      signal: new AbortController().signal,
    });
    if (answer.kind !== 'body') throw new Error('a stream');
    return { status: answer.status, body: JSON.parse(String(answer.body)) };
  }

  test('there are many of them', () => expect(refusals.length).toBeGreaterThan(60));
  for (const refusal of refusals) {
    test(refusal.name, async () => {
      const [found] = await captureRefusals([refusal], send);
      expect(found).toEqual(refusal);
    });
  }
});
