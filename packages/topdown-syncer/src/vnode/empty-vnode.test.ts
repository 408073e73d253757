import { describe, expect, test } from 'vitest';
import type { KubeClient } from '@tributary/runtime';
import type { Node } from '../contract/cluster-kinds.ts';
import type { Pod } from '../contract/pod.ts';
import { emptyVnode } from './empty-vnode.ts';
import type { EmptyInputs } from './empty-vnode.ts';

const nowMs = Date.parse('2026-01-05T12:00:00Z');
const vnode: Node = {
  metadata: { name: 'vnode-a', uid: 'n-1', resourceVersion: '7', finalizers: ['kubeocean.io/vnode'] },
};
const leaving: Node = {
  ...vnode,
  metadata: {
    ...vnode.metadata,
    deletionTimestamp: '2026-01-05T11:59:00Z',
    annotations: { 'kubeocean.io/deletion-taint-time': '2026-01-05T11:59:00Z' },
  },
};
const pod = (
  name: string,
  metadata: Partial<Pod['metadata']> = {},
  phase: 'Running' | 'Succeeded' = 'Running',
): Pod => ({
  metadata: { namespace: 'default', name, uid: `uid-${name}`, ...metadata },
  spec: { containers: [] },
  status: { phase },
});

type Written = { readonly metadata?: { readonly resourceVersion?: string } };

/** What is asked of the server, in order. */
async function calls(inputs: Partial<EmptyInputs>): Promise<readonly string[]> {
  const made: string[] = [];
  const client = {
    patch: (kind: { kind: string }, _ref: unknown, { body }: { body: Written }) => {
      const { resourceVersion } = body.metadata ?? {};
      const seen = resourceVersion === undefined ? '' : ` as of ${resourceVersion}`;
      made.push(`patch ${kind.kind} ${JSON.stringify(Object.keys(body))}${seen}`);
      return Promise.resolve(vnode);
    },
    delete: (kind: { kind: string }, { name }: { name: string }, options: Record<string, unknown>) => {
      const { signal: _signal, ...rest } = options;
      made.push(`delete ${kind.kind} ${name} ${JSON.stringify(rest)}`);
      return Promise.resolve({});
    },
  } as unknown as KubeClient;
  await emptyVnode({ vnode: leaving, pods: [], graceMs: 0, nowMs, ...inputs }, client, new AbortController().signal);
  return made;
}

describe('a virtual node on its way out', () => {
  test('is tainted, then deleted, and it alone', async () => {
    expect(await calls({ vnode })).toEqual([
      'patch Node ["metadata","spec"] as of 7',
      'delete Node vnode-a {"preconditions":{"uid":"n-1"}}',
    ]);
  });
  test('has its pods deleted, each with the grace that its owner gave it, and waits for them', async () => {
    expect(await calls({ pods: [pod('web')] })).toEqual(['delete Pod web {"preconditions":{"uid":"uid-web"}}']);
  });
  test('does not ask twice for a pod that is going', async () => {
    expect(await calls({ pods: [pod('web', { deletionTimestamp: '2026-01-05T11:59:30Z' })] })).toEqual([]);
  });
  test('takes the guards of its ports away at once, and goes', async () => {
    const guard = pod('guard', { namespace: 'kubeocean-fake', labels: { 'kubeocean.io/hostport-fake-pod': 'true' } });
    expect(await calls({ pods: [guard] })).toEqual([
      'delete Pod guard {"preconditions":{"uid":"uid-guard"},"gracePeriodSeconds":0}',
      'patch Node ["metadata"] as of 7',
    ]);
  });
  test('does not wait for pods of the system, nor for those that have ended', async () => {
    const pods = [pod('proxy', { namespace: 'kube-system' }), pod('done', {}, 'Succeeded')];
    expect((await calls({ pods })).at(-1)).toBe('patch Node ["metadata"] as of 7');
  });
  test('leaves its pods the time that the policy gives them', async () => {
    expect(await calls({ pods: [pod('web')], graceMs: 61_000 })).toEqual([]);
    expect(await calls({ pods: [pod('web')], graceMs: 60_000 })).toHaveLength(1);
  });
  test('goes when it is empty, without waiting', async () => {
    expect(await calls({ graceMs: 600_000 })).toEqual(['patch Node ["metadata"] as of 7']);
  });
});
