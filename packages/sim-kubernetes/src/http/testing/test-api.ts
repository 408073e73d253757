import { startSimulatedCluster } from '../../actors/testing/simulated-cluster.ts';
import type { SimulatedCluster } from '../../actors/testing/simulated-cluster.ts';
import type { ClusterOptions } from '../../cluster-options.ts';
import type { Draft } from '../../registry/json.ts';
import type { ResourceType } from '../../registry/resource-type.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; an empty object when it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every kind
  readonly body: any;
};

export type WatchEvents = {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every kind
  readonly events: { readonly type: string; readonly object: any }[];
  readonly heads: { readonly status: number }[];
  readonly done: Promise<void>;
  readonly stop: () => void;
};

export type TestApi = SimulatedCluster & {
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  readonly watch: (path: string, headers?: Readonly<Record<string, string>>) => WatchEvents;
};

/** A cluster without sockets on a simulated clock, with a custom kind of its own: `rivers.x.test`. */
export async function startTestApi(options: ClusterOptions = {}): Promise<TestApi> {
  const cluster = await startSimulatedCluster({ controllers: [], kinds: [riverType], ...options });
  const transport = cluster.transport();
  return {
    ...cluster,
    call: async (method, path, body, headers = {}) => {
      const content: Record<string, string> =
        method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const request = { method, path, headers: { ...content, ...headers } };
      const answer = await transport.request(body === undefined ? request : { ...request, body: text });
      return toAnswer(answer);
    },
    watch: (path, headers = {}) => {
      const gone = new AbortController();
      const events: WatchEvents['events'] = [];
      const heads: { status: number }[] = [];
      let rest = '';
      const onChunk = (chunk: Uint8Array): void => {
        const lines = (rest + new TextDecoder().decode(chunk)).split('\n');
        rest = lines.pop() ?? '';
        events.push(...lines.map((line) => JSON.parse(line) as { type: string; object: Draft }));
      };
      const request = { method: 'GET', path, headers, signal: gone.signal };
      const done = transport.stream(request, { onHead: (head) => heads.push(head), onChunk });
      done.catch(() => undefined);
      return { events, heads, done, stop: () => gone.abort(new Error('enough')) };
    },
  };
}

function toAnswer({ status, headers, body }: { status: number; headers: Answer['headers']; body: Uint8Array }): Answer {
  const text = new TextDecoder().decode(body);
  try {
    return { status, headers, text, body: JSON.parse(text) };
  } catch {
    return { status, headers, text, body: {} };
  }
}

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const rivers = '/apis/x.test/v1/namespaces/default/rivers';

export const river = (name: string, spec: unknown = {}): Draft => ({
  apiVersion: 'x.test/v1',
  kind: 'River',
  metadata: { name },
  spec,
});

/** A custom kind as a CRD would make it: status and scale subresources, `spec.length` at least 1 with default 10. */
export const riverType: ResourceType = {
  group: 'x.test',
  version: 'v1',
  kind: 'River',
  listKind: 'RiverList',
  plural: 'rivers',
  singular: 'river',
  shortNames: ['rv'],
  categories: [],
  namespaced: true,
  verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          length: { type: 'integer', minimum: 1, default: 10 },
          replicas: { type: 'integer' },
          name: { type: 'string' },
        },
      },
      status: { type: 'object', properties: { replicas: { type: 'integer' }, wet: { type: 'boolean' } } },
    },
  },
  strategy: { fieldLabels: (object) => ({ 'spec.name': (object['spec'] as { name?: string })?.name ?? '' }) },
  hasStatus: true,
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  table: { columns: [{ name: 'Name', type: 'string' }], cells: (object) => [object.metadata.name] },
  origin: 'custom',
  subresources: [],
};
