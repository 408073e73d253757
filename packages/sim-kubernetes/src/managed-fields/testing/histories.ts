// Histories of writes by several managers to one object, and what a server made of them in a form that can be compared.
import fc from 'fast-check';
import type { Answer, Query, WireClient } from '../../../conformance/kit/wire-client.ts';
import type { Loose, OwnedKind } from './owned-kinds.ts';

export type Write = {
  readonly verb: 'apply' | 'put' | 'merge' | 'strategic';
  readonly subresource: '' | 'status' | 'scale';
  readonly manager: string;
  readonly force: boolean;
  readonly body: Loose;
};

const labels = fc.record(
  {
    labels: fc.dictionary(fc.constantFrom('l', 'm'), fc.constantFrom('1', '2'), { maxKeys: 2 }),
    finalizers: fc.constantFrom([], ['x.test/a'], ['x.test/a', 'x.test/b']),
  },
  { requiredKeys: [] },
);

export function historyOf(kind: OwnedKind): fc.Arbitrary<Write[]> {
  const who = { manager: fc.constantFrom('ann', 'bob', 'kubectl'), force: fc.boolean() };
  const main = fc.record({
    ...who,
    verb: fc.constantFrom('apply' as const, 'apply' as const, 'put' as const, 'merge' as const, 'strategic' as const),
    subresource: fc.constant('' as const),
    body: fc.tuple(kind.piece, labels).map(([piece, metadata]): Loose => ({ ...piece, metadata })),
  });
  const status =
    kind.status &&
    fc.record({
      ...who,
      verb: fc.constantFrom('apply' as const, 'put' as const, 'merge' as const),
      subresource: fc.constant('status' as const),
      body: kind.status.map((part): Loose => ({ status: part })),
    });
  const scale = fc.record({
    ...who,
    verb: fc.constantFrom('put' as const, 'merge' as const, 'apply' as const),
    subresource: fc.constant('scale' as const),
    body: fc.constantFrom(1, 3).map((replicas): Loose => ({ spec: { replicas } })),
  });
  const write = fc.oneof(
    { weight: 6, arbitrary: main },
    ...(status ? [{ weight: 2, arbitrary: status }] : []),
    ...(kind.scales ? [{ weight: 1, arbitrary: scale }] : []),
  );
  return fc.array(write, { minLength: 1, maxLength: 8 });
}

export type Step = { readonly status: number; readonly said: unknown; readonly object: unknown };

/** Runs a history on a server and says after each write what was answered and what the object is. */
export async function play(api: WireClient, kind: OwnedKind, name: string, history: readonly Write[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const write of history) {
    const live = await api.get(`${kind.path}/${name}`);
    const answer = await send(api, kind, name, write, live.status === 200 ? live.body : undefined);
    const { body } = await api.get(`${kind.path}/${name}`);
    steps.push({ status: answer.status, said: said(answer, name), object: comparable(body) });
  }
  await api.patch(`${kind.path}/${name}`, 'merge', { metadata: { finalizers: null } });
  await api.del(`${kind.path}/${name}`);
  return steps;
}

const mediaTypes = {
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

async function send(
  api: WireClient,
  kind: OwnedKind,
  name: string,
  { verb, subresource, manager, force, body }: Write,
  live: Loose | undefined,
): Promise<Answer> {
  const { apiVersion } = kind;
  const head =
    subresource === 'scale' ? { apiVersion: 'autoscaling/v1', kind: 'Scale' } : { apiVersion, kind: kind.kind };
  const metadata = { ...(body['metadata'] as Loose | undefined), name };
  const query: Query = { fieldManager: manager };
  const path = `${kind.path}/${name}${subresource === '' ? '' : `/${subresource}`}`;
  if (verb === 'put') {
    const { resourceVersion } = (live?.['metadata'] ?? {}) as { resourceVersion?: string };
    const whole = {
      ...head,
      ...kept(live, subresource),
      ...body,
      metadata: { ...metadata, namespace: 'default', resourceVersion },
    };
    if (live === undefined && subresource === '') return api.post(kind.path, whole, query);
    return api.put(path, whole, query);
  }
  const patch = verb === 'apply' ? { ...head, ...body, metadata } : body;
  return api.send({
    method: 'PATCH',
    path,
    body: patch,
    headers: { 'content-type': mediaTypes[verb] },
    query: verb === 'apply' ? { ...query, force } : query,
  });
}

/** What a PUT must repeat: a Service keeps its address. */
function kept(live: Loose | undefined, subresource: string): Loose {
  return subresource === 'status' && live !== undefined ? { spec: live['spec'] } : {};
}

function said({ status, body }: Answer, name: string): unknown {
  if (status < 300) return undefined;
  const details = (body as Loose)['details'] as { causes?: readonly Loose[] } | undefined;
  const causes = details?.causes?.map((cause) => JSON.stringify(cause)).toSorted();
  const message = String((body as Loose)['message']).replaceAll(name, 'NAME');
  // Several causes come in the order of a Go map.
  return { reason: (body as Loose)['reason'], causes, message: (causes?.length ?? 0) > 1 ? undefined : message };
}

const masked = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'clusterIP',
  'clusterIPs',
  'deletionTimestamp',
  'name',
  'lastTransitionTime',
]);

/** Without what differs from server to server; entries of managers in an order without time. */
function comparable(value: unknown, key = ''): unknown {
  if (key === 'clusterIPs') return '<masked>';
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    return key === 'managedFields'
      ? items
          .map((item) => JSON.stringify(item))
          .toSorted()
          .map((text) => JSON.parse(text) as unknown)
      : items;
  }
  if (typeof value !== 'object' || value === null) return masked.has(key) && key !== 'name' ? '<masked>' : value;
  const entries = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => [name, name === 'metadata' ? withoutName(item) : comparable(item, name)]);
  return Object.fromEntries(entries);
}

function withoutName(metadata: unknown): unknown {
  const { name: _name, ...rest } = (metadata ?? {}) as Loose;
  return comparable(rest);
}
