import { noRoute, refusal } from './api-error.ts';
import type { Family, Route } from './route.ts';

export type FoundRoute = {
  readonly route: Route;
  readonly family: string;
  readonly params: Readonly<Record<string, string>>;
};

type Entry = { readonly route: Route; readonly family: string; readonly pattern: readonly string[] };

/** Finds the route of a path; throws what the API says to a path or method that it does not have. */
export function createRouter(families: readonly Family[]): (method: string, path: string) => FoundRoute {
  const entries: readonly Entry[] = families
    .flatMap(({ name, routes }) => routes.map((route) => ({ route, family: name, pattern: segmentsOf(route.path) })))
    .toSorted((a, b) => looseness(a.pattern) - looseness(b.pattern));

  return (method, path) => {
    const segments = segmentsOf(path);
    const matching = entries.filter(({ pattern }) => matches(pattern, segments));
    const [first] = matching;
    if (!first) throw noRoute(`/client/v4${path}`);
    // A fixed word is never an id: DELETE …/dns_records/batch must not look for a record named "batch".
    const closest = matching.filter(({ pattern }) => looseness(pattern) === looseness(first.pattern));
    const found = closest.find(({ route }) => route.method === method);
    if (!found) throw wrongMethod(method, first.route);
    return { route: found.route, family: found.family, params: paramsOf(found.pattern, segments) };
  };
}

function segmentsOf(path: string): readonly string[] {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  return trimmed.split('/').map(decode);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function looseness(pattern: readonly string[]): number {
  return pattern.filter((segment) => segment.startsWith(':')).length;
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => {
    const segment = segments[index] ?? '';
    return part.startsWith(':') ? segment !== '' : part === segment;
  });
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  pattern.forEach((part, index) => {
    if (part.startsWith(':')) params[part.slice(1)] = segments[index] ?? '';
  });
  return params;
}

function wrongMethod(method: string, route: Route): Error {
  return route.access.scope === 'account'
    ? refusal(405, 10405, 'Method not allowed for this authentication scheme')
    : refusal(405, 7001, `Method ${method} not available for that URI.`);
}
