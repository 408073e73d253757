import { attributesOf } from '../auth/attributes.ts';
import { anonymous } from '../auth/authorizer.ts';
import type { ApiRequest, ApiResponse, StreamSink } from '../http/api-request.ts';
import { parseResourcePath } from '../http/parse-path.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from '../storage/store.ts';

/** Counts what is asked of the server and what comes of it, under the names that kube-apiserver has for it. */
export type RequestMetrics = {
  /** The same response; told of when its stream begins and ends. */
  readonly count: (request: ApiRequest, response: ApiResponse) => ApiResponse;
  readonly text: () => string;
};

const requests = {
  name: 'apiserver_request_total',
  type: 'counter',
  help: '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
};
const running = {
  name: 'apiserver_longrunning_requests',
  type: 'gauge',
  help: '[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
};
const objects = {
  name: 'apiserver_resource_objects',
  type: 'gauge',
  help: '[ALPHA] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
};

export function createRequestMetrics(registry: Registry, store: Store): RequestMetrics {
  const answered = new Map<string, number>();
  const open = new Map<string, number>();
  return {
    count: (request, response) => {
      const labels = labelsOf(request);
      if (labels === undefined) return response;
      const dryRun = request.query.has('dryRun') ? request.query.getAll('dryRun').join(',') : '';
      add(answered, `code="${response.status}",component="apiserver",dry_run="${dryRun}",${labels}`, 1);
      return response.kind === 'stream' ? followed(response, open, `component="apiserver",${labels}`) : response;
    },
    text: () =>
      `${[...family(requests, answered), ...family(running, open), ...family(objects, stored(registry, store))].join('\n')}\n`,
  };
}

function add(to: Map<string, number>, labels: string, amount: number): void {
  to.set(labels, (to.get(labels) ?? 0) + amount);
}

const verbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** What a request was about, for those that were about a resource. */
function labelsOf(request: ApiRequest): string | undefined {
  const path = parseResourcePath(request.path);
  if (path === undefined) return undefined;
  const { verb, group, resource, subresource, namespace, name } = attributesOf(anonymous, request);
  const isApply = (request.headers['content-type'] ?? '').startsWith('application/apply-patch');
  const word = verb === 'patch' && isApply ? 'APPLY' : (verbs[verb] ?? 'other');
  const scope = name !== '' || verb === 'create' ? 'resource' : namespace === '' ? 'cluster' : 'namespace';
  const where = `group="${group}",resource="${resource}",scope="${scope}",subresource="${subresource}"`;
  return `${where},verb="${word}",version="${path.version}"`;
}

type StreamResponse = Extract<ApiResponse, { readonly kind: 'stream' }>;

function followed(response: StreamResponse, open: Map<string, number>, labels: string): StreamResponse {
  const begin = (sink: StreamSink): (() => void) => {
    let over = false;
    const end = (): void => {
      if (!over) add(open, labels, -1);
      over = true;
    };
    add(open, labels, 1);
    const after = (act: () => void) => () => {
      end();
      act();
    };
    return after(response.open({ write: sink.write, end: after(sink.end), reset: after(sink.reset) }));
  };
  return { ...response, open: begin };
}

function stored(registry: Registry, store: Store): ReadonlyMap<string, number> {
  return new Map(
    registry
      .all()
      .filter((type) => type.storedIn === undefined && type.verbs.includes('create') && type.verbs.includes('list'))
      .map((type) => [`group="${type.group}",resource="${type.plural}"`, store.count(type)]),
  );
}

function family({ name, type, help }: typeof requests, values: ReadonlyMap<string, number>): readonly string[] {
  const lines = Array.from(values, ([labels, value]) => `${name}{${labels}} ${value}`).toSorted();
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}
