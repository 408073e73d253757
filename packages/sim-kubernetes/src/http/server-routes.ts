import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Registry } from '../registry/registry.ts';
import { checkTakes } from './negotiate.ts';
import type { ApiRequest, ApiResponse, NonResourceRoute } from './api-request.ts';
import { groupNames } from './discovery.ts';
import { respondJson, respondText } from './respond.ts';

const checks = ['ping', 'log', 'etcd', 'poststarthook/crd-informer-synced'];
const plain = { format: 'json', pretty: true } as const;

const metricsType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Which Kubernetes this server behaves like. */
const version = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** Health, version, metrics and the list of paths. */
export function createServerRoutes(registry: Registry, metrics: RequestMetrics): readonly NonResourceRoute[] {
  return [
    { path: '/metrics', handle: () => respondText(200, metrics.text(), metricsType) },
    {
      path: '/version',
      getOnly: true,
      handle: respondVersion,
    },
    ...['healthz', 'livez', 'readyz'].flatMap((name) => healthRoutes(name)),
    {
      path: '/',
      handle: ({ path }) =>
        path === '/' ? respondJson(200, JSON.stringify({ paths: pathsOf(registry) }), plain) : undefined,
    },
  ];
}

function respondVersion(request: ApiRequest): ApiResponse {
  checkTakes(request, 'application/json');
  return respondJson(200, JSON.stringify(version), plain);
}

function healthRoutes(name: string): readonly NonResourceRoute[] {
  return [
    { path: `/${name}`, handle: ({ query }) => respondHealth(name, query) },
    { path: `/${name}/`, handle: (request) => respondCheck(name, request) },
  ];
}

function respondHealth(name: string, query: URLSearchParams): ApiResponse {
  if (!query.has('verbose')) return respondText(200, 'ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = checks.map((check) => `[+]${check} ${excluded.has(check) ? 'excluded: ' : ''}ok`);
  return respondText(200, `${[...lines, `${name} check passed`].join('\n')}\n`);
}

function respondCheck(name: string, { path }: ApiRequest): ApiResponse {
  const check = path.slice(name.length + 2);
  return checks.includes(check) ? respondText(200, 'ok') : respondText(404, '404 page not found\n');
}

function pathsOf(registry: Registry): readonly string[] {
  const versions = registry
    .all()
    .map(({ group, version }) => (group === '' ? `/api/${version}` : `/apis/${group}/${version}`));
  const groups = groupNames(registry).map((group) => `/apis/${group}`);
  const health = ['healthz', 'livez', 'readyz'].flatMap((name) => [
    `/${name}`,
    ...checks.map((check) => `/${name}/${check}`),
  ]);
  const fixed = ['/api', '/apis', '/apis/', '/metrics', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];
  return [...new Set([...fixed, ...groups, ...versions, ...health])].toSorted();
}
