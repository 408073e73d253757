import { toRulePath } from '../../targets/tunnel-configuration/contract.ts';
import type { OriginRequest } from '../origin-request.ts';
import { pathProblem } from '../tunnels/check-rule.ts';
import type {
  BackendRef,
  Filter,
  GrpcRoute,
  GrpcRule,
  HttpRoute,
  HttpRule,
  Route,
  StreamRoute,
} from './gateway-kinds.ts';

/** A rule of a route, as far as cloudflared can have it: it chooses by host and path, and has one origin. */
export type RouteRule = {
  /** Regular expressions; `undefined` matches every path. */
  readonly paths: readonly (string | undefined)[];
  /** Where it leads; none answers with an error. */
  readonly backend: BackendRef | undefined;
  readonly options: OriginRequest;
  /** What cloudflared cannot do. A rule that has any is dropped, because half of it would be another rule. */
  readonly problems: readonly string[];
};

export function httpRules({ spec }: HttpRoute): readonly RouteRule[] {
  return (spec?.rules ?? []).map((rule, index) => {
    const matches = (rule.matches ?? []).map(httpMatch);
    return requestRule(rule, `spec.rules[${index}]`, matches.length === 0 ? [{ problems: [] }] : matches);
  });
}

export function grpcRules({ spec }: GrpcRoute): readonly RouteRule[] {
  return (spec?.rules ?? []).map((rule, index) => {
    const matches = (rule.matches ?? []).map(grpcMatch);
    const made = requestRule(rule, `spec.rules[${index}]`, matches.length === 0 ? [{ problems: [] }] : matches);
    return { ...made, options: { ...made.options, http2Origin: true } };
  });
}

export function tcpRules({ spec }: StreamRoute): readonly RouteRule[] {
  return (spec?.rules ?? []).map((rule, index) => {
    const { backend, problems } = chooseBackend(rule.backendRefs ?? []);
    const named = problems.map((problem) => `spec.rules[${index}].${problem}`);
    // A host has one stream: cloudflared has nothing to tell a second rule apart by.
    const more = index > 0 ? [`spec.rules[${index}]: a tunnel takes one rule of a TCPRoute`] : [];
    return { paths: [undefined], backend, options: {}, problems: [...named, ...more] };
  });
}

export function udpRules({ spec }: Route): readonly RouteRule[] {
  const problems = ['cloudflared carries UDP in private networks only: use a NetworkRoute or a PrivateService'];
  return (spec?.rules ?? []).map(() => ({ paths: [], backend: undefined, options: {}, problems }));
}

type Match = { readonly path?: string | undefined; readonly problems: readonly string[] };

function httpMatch({ path, headers, queryParams, method }: NonNullable<HttpRule['matches']>[number]): Match {
  const { type = 'PathPrefix', value = '/' } = path ?? {};
  const refused = [
    ...(headers?.length ? ['headers'] : []),
    ...(queryParams?.length ? ['queryParams'] : []),
    ...(method ? ['method'] : []),
  ].map((field) => `${field}: a tunnel chooses by host and path alone`);
  if (type === 'Exact') return { path: toRulePath(value, 'Exact'), problems: refused };
  if (type === 'PathPrefix') return { path: toRulePath(value, 'Prefix'), problems: refused };
  if (type !== 'RegularExpression') return { problems: [...refused, `path.type: ${type} is not known`] };
  const problem = pathProblem(value);
  return { path: wholePath(value), problems: problem === undefined ? refused : [...refused, `path: ${problem}`] };
}

/** An expression describes the path from its beginning to its end, as other paths do. */
function wholePath(expression: string): string {
  const isWhole = /^\^[^|]*[^\\|]\$$/.test(expression);
  return isWhole ? expression : `^(?:${expression})$`;
}

function grpcMatch({ method, headers }: NonNullable<GrpcRule['matches']>[number]): Match {
  const refused = headers?.length ? ['headers: a tunnel chooses by host and path alone'] : [];
  const { type = 'Exact', service, method: name } = method ?? {};
  if (!service && !name) return { problems: refused };
  if (type === 'Exact') {
    if (service && name) return { path: toRulePath(`/${service}/${name}`, 'Exact'), problems: refused };
    return {
      path: service ? toRulePath(`/${service}`, 'Prefix') : `^/[^/]+${toRulePath(`/${name ?? ''}`, 'Exact')?.slice(1)}`,
      problems: refused,
    };
  }
  const path = `^/(?:${service || '[^/]+'})/(?:${name || '[^/]+'})$`;
  const problem = pathProblem(path);
  return { path, problems: problem === undefined ? refused : [...refused, `method: ${problem}`] };
}

function requestRule(rule: HttpRule | GrpcRule, at: string, matches: readonly Match[]): RouteRule {
  const { filters = [], backendRefs = [] } = rule;
  const { backend, problems } = chooseBackend(backendRefs);
  const { options, problems: ofFilters } = readFilters([...filters, ...(backend?.filters ?? [])]);
  const unknown = (['timeouts', 'retry', 'sessionPersistence'] as const).filter((field) => rule[field] !== undefined);
  const all = [
    ...matches.flatMap((match, index) => match.problems.map((problem) => `matches[${index}].${problem}`)),
    ...ofFilters,
    ...unknown.map((field) => `${field}: a tunnel has none`),
    ...problems,
  ];
  return {
    paths: matches.map(({ path }) => path),
    backend,
    options,
    problems: all.map((problem) => `${at}.${problem}`),
  };
}

/** Another Host header for the origin is the one thing that cloudflared can change of a request. */
function readFilters(filters: readonly Filter[]): Pick<RouteRule, 'options' | 'problems'> {
  const host = filters.filter(isHost).map(({ urlRewrite }) => urlRewrite?.hostname)[0];
  const refused = filters.filter((filter) => !isHost(filter));
  return {
    options: host === undefined ? {} : { httpHostHeader: host },
    problems: refused.map(({ type }) => `filters: a tunnel has no ${type}; of URLRewrite it can do hostname`),
  };
}

function isHost({ type, urlRewrite }: Filter): boolean {
  return type === 'URLRewrite' && urlRewrite?.hostname !== undefined && urlRewrite.path === undefined;
}

function chooseBackend(backends: readonly BackendRef[]): Pick<RouteRule, 'backend' | 'problems'> {
  const weighty = backends.filter(({ weight = 1 }) => weight > 0);
  const problems =
    weighty.length > 1 ? ['backendRefs: a tunnel cannot divide requests; give one a weight above 0'] : [];
  return { backend: weighty[0], problems };
}
