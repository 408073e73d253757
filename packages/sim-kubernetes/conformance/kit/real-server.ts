import { inject } from 'vitest';
import type { ProvidedControlPlane } from '../../../../tools/control-plane/vitest-setup.ts';
import type { ServerUnderTest } from './server-under-test.ts';

/** The control plane that the global setup of the run has started. Files share it, so nothing is stopped here. */
export function reachReal(): ServerUnderTest {
  const { url, ca, token, etcdUrl, auditLogPath }: ProvidedControlPlane = inject('controlPlane');
  const endpoint = { url, ca, token };
  return { name: 'real', endpoint, auditLogPath, compact: () => compactEtcd(etcdUrl), stop: async () => {} };
}

/**
 * Compacts as the API server does every five minutes: it also writes down up to where, which is how it learns
 * that the snapshots in its own watch cache are too old.
 */
async function compactEtcd(url: string): Promise<void> {
  const post = async (path: string, body: unknown): Promise<{ readonly header: { readonly revision: string } }> => {
    const answer = await fetch(`${url}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { readonly header: { readonly revision: string } };
  };
  const { revision } = (await post('range', { key: base64('compact_rev_key') })).header;
  await post('put', { key: base64('compact_rev_key'), value: base64(revision) });
  await post('compaction', { revision, physical: true });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
