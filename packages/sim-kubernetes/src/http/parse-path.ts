/** What a path names. Collections have no name; `watch` is the old form with the verb in the path. */
export type ResourcePath = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string;
  readonly watch: boolean;
};

/** `undefined` when the path is outside of `/api/VERSION` and `/apis/GROUP/VERSION`, or names no resource. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const parts = splitPath(path);
  const [root, ...below] = parts;
  if (root === 'api' && below.length > 1) return below[0] === undefined ? undefined : resourceIn('', below);
  if (root === 'apis' && below.length > 2) return resourceIn(below[0] ?? '', below.slice(1));
  return undefined;
}

/** The parts of a path, decoded; empty ones are no parts. */
export function splitPath(path: string): readonly string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.includes('%') ? decode(part) : part));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function resourceIn(group: string, [version = '', ...rest]: readonly string[]): ResourcePath | undefined {
  const watch = rest[0] === 'watch' && rest.length > 1;
  const parts = watch ? rest.slice(1) : rest;
  const inNamespace = parts[0] === 'namespaces' && parts.length > 2 && !isOfNamespace(group, parts);
  const [plural, name = '', ...subresource] = inNamespace ? parts.slice(2) : parts;
  if (plural === undefined) return undefined;
  const namespace = inNamespace ? parts[1] : undefined;
  return { group, version, plural, namespace, name, subresource: subresource.join('/'), watch };
}

/** `/api/v1/namespaces/x/status` is about the namespace itself, not about a resource called status. */
function isOfNamespace(group: string, parts: readonly string[]): boolean {
  return group === '' && parts.length === 3 && (parts[2] === 'status' || parts[2] === 'finalize');
}
