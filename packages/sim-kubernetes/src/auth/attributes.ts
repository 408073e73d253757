import type { ApiRequest } from '../http/api-request.ts';
import { splitPath } from '../http/parse-path.ts';
import { boolOf } from '../http/query-options.ts';
import type { UserInfo } from '../registry/admission.ts';
import { pathSegmentName } from '../registry/name-checks.ts';

/** What somebody wants to do, as authorization sees it: known before anything is known of the resource itself. */
export type Attributes = {
  readonly user: UserInfo;
  readonly verb: string;
  /** The path of a request that is about no resource; of the others only the fields below count. */
  readonly path?: string;
  readonly namespace: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
};

const noResource = { namespace: '', group: '', resource: '', subresource: '', name: '' };
const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

export function pathAttributes(user: UserInfo, verb: string, path: string): Attributes {
  return { user, verb, path, ...noResource };
}

/** What a request asks for, in the words of RBAC. */
export function attributesOf(user: UserInfo, request: ApiRequest): Attributes {
  const { method, path, query } = request;
  const place = placeOf(splitPath(path));
  if (place === undefined) return pathAttributes(user, method.toLowerCase(), decoded(path));
  const { watch, ...resource } = place;
  const verb = watch ? 'watch' : (verbs[method] ?? '');
  if (resource.name !== '') return { user, verb, ...resource };
  if (verb === 'delete') return { user, verb: 'deletecollection', ...resource };
  if (verb !== 'get') return { user, verb, ...resource };
  const name = selectedName(query.get('fieldSelector') ?? '');
  return { user, verb: boolOf(query, 'watch') === true ? 'watch' : 'list', ...resource, name };
}

type Place = Omit<Attributes, 'user' | 'verb' | 'path'> & { readonly watch: boolean };

function placeOf([root, ...below]: readonly string[]): Place | undefined {
  const grouped = root === 'apis';
  if ((root !== 'api' && !grouped) || below.length < (grouped ? 3 : 2)) return undefined;
  const group = grouped ? (below[0] ?? '') : '';
  const rest = below.slice(grouped ? 2 : 1);
  const watch = rest[0] === 'watch' && rest.length > 1;
  const parts = watch ? rest.slice(1) : rest;
  // A namespace is itself an object in the namespace of its name.
  const namespace = parts[0] === 'namespaces' ? (parts[1] ?? '') : '';
  const inside = namespace !== '' && parts.length > 2 && parts[2] !== 'status' && parts[2] !== 'finalize';
  const [resource = '', name = '', subresource = ''] = inside ? parts.slice(2) : parts;
  return { namespace, group, resource, subresource, name, watch };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A list of one name asks for that object alone. */
function selectedName(selector: string): string {
  const term = selector.split(',').find((part) => /^metadata\.name==?[^=!]/.test(part));
  const name = term?.replace(/^metadata\.name==?/, '') ?? '';
  return name !== '' && pathSegmentName(name, false).length === 0 ? name : '';
}
