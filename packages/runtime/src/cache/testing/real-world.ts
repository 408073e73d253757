import { inject } from 'vitest';
import { createKubeClient } from '../../client/create-kube-client.ts';
import type { KubeClient, WatchEvent } from '../../client/kube-client.ts';
import { createUndiciTransport } from '../../client/undici-transport.ts';
import { systemClock } from '../../clock.ts';
import { defineKind } from '../../kind.ts';
import { staticAuth } from '../../kubeconfig/cluster-access.ts';
import type { HistoryEntry } from './scripted-history.ts';

export const configMapKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
const namespaceKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});

export type ServerAddress = { readonly url: string; readonly ca: string; readonly token: string };

/** A client of the administrator, straight to the server or through something in between. */
export function connect(server: ServerAddress, through?: string): { client: KubeClient; close: () => Promise<void> } {
  const tls = through === undefined ? { ca: { data: server.ca } } : {};
  const auth = staticAuth({ authorization: `Bearer ${server.token}` });
  const files = { readFile: async () => '', modifiedMs: async () => 0 };
  const transport = createUndiciTransport(
    { access: { server: through ?? server.url, tls, auth } },
    { ...files, clock: systemClock },
  );
  return { client: createKubeClient({ transport, userAgent: 'tributary-cache-test' }), close: transport.close };
}

export function sharedServer(): ServerAddress {
  const { url, ca, token } = inject('controlPlane');
  return { url, ca, token };
}

/** A namespace of its own without the objects that the controller manager puts into every namespace. */
export async function createNamespace(client: KubeClient): Promise<string> {
  const made = await client.create(namespaceKind, { metadata: { generateName: 'cache-' } });
  const name = made.metadata.name ?? '';
  for (;;) {
    const list = await client.list(configMapKind, { namespace: name });
    if (list.items.length > 0) return name;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function deleteNamespace(client: KubeClient, name: string): Promise<void> {
  await client.delete(namespaceKind, { name });
}

export type Recording = {
  /** Throws when the record is not complete. */
  readonly entries: () => readonly HistoryEntry[];
  readonly stop: () => Promise<void>;
};

/** What really happened: a watch that nothing disturbs, from the given version on. */
export function recordHistory(client: KubeClient, namespace: string, resourceVersion: string): Recording {
  const entries: HistoryEntry[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const record = (event: WatchEvent): void => {
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED' && event.type !== 'DELETED') return;
    entries.push({ type: event.type, object: event.object, revision: Number(event.object.metadata.resourceVersion) });
  };
  const run = async (): Promise<void> => {
    // A busy server ends a watch whose reader is slow; it goes on where it ended.
    while (!signal.aborted) {
      const from = entries.at(-1)?.object.metadata.resourceVersion ?? resourceVersion;
      await client.watch(configMapKind, { namespace, resourceVersion: from, signal }, record);
    }
  };
  let failure: unknown;
  const ended = run().catch((error: unknown) => {
    if (!signal.aborted) failure = error;
  });
  return {
    entries: () => {
      if (failure !== undefined) throw new Error('the record ends too early', { cause: failure });
      return entries;
    },
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** Waits for something that real events bring about. */
export async function until(condition: () => boolean, limitMs = 30_000): Promise<void> {
  const startMs = performance.now();
  while (!condition()) {
    if (performance.now() - startMs > limitMs) throw new Error(`not within ${limitMs} ms: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
