import type { ApiRequest } from '../http/api-request.ts';
import { parseResourcePath } from '../http/parse-path.ts';
import { verbOf } from '../http/verb-of.ts';
import type { FaultMatch } from './fault-rule.ts';

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** What a rule can ask of a request. */
export type RequestFacts = {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly userAgent: string;
};

export function factsOf(request: ApiRequest): RequestFacts {
  const userAgent = request.headers['user-agent'] ?? '';
  const path = parseResourcePath(request.path);
  if (path === undefined) {
    return { verb: request.method.toLowerCase(), group: '', resource: '', namespace: undefined, name: '', userAgent };
  }
  const { group, plural, subresource, namespace, name } = path;
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  return { verb: verbOf(request, path), group, resource, namespace, name, userAgent };
}

export function isWrite({ verb, resource }: RequestFacts): boolean {
  return resource !== '' && writes.has(verb);
}

export function matchesRequest(match: FaultMatch, facts: RequestFacts): boolean {
  const { verb, group, resource, namespace, name, userAgent } = match;
  if (
    verb !== undefined &&
    ![verb].flat().some((word) => word === facts.verb || (word === 'write' && isWrite(facts)))
  ) {
    return false;
  }
  if (group !== undefined && group !== facts.group) return false;
  if (resource !== undefined && resource !== facts.resource) return false;
  if (namespace !== undefined && namespace !== facts.namespace) return false;
  if (name !== undefined && name !== facts.name) return false;
  return userAgent === undefined || facts.userAgent.startsWith(userAgent);
}
