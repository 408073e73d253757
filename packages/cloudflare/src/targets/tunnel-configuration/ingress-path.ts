/**
 * Paths as cloudflared understands them: Go regular expressions, not anchored. A Kubernetes path becomes an anchored,
 * escaped one, so that `/foo` catches `/foo` and `/foo/bar` but never `/foobar`.
 */
export type PathType = 'Exact' | 'Prefix' | 'ImplementationSpecific';

/** `undefined` matches every path. */
export function toRulePath(path: string | undefined, type: PathType | undefined): string | undefined {
  if (type === 'Exact') return path ? `^${escapeRegex(path)}$` : '^/$';
  const prefix = (path ?? '').replace(/\/+$/, '');
  return prefix === '' ? undefined : `^${escapeRegex(prefix)}(/|$)`;
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** How closely a rule's path describes what it matches: more literal characters first, an exact path before a prefix. */
export type PathRank = { readonly literal: number; readonly form: 0 | 1 | 2 | 3 };

const exact = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^a-zA-Z0-9])*)\$$/;
const prefix = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^a-zA-Z0-9])*)\(\/\|\$\)$/;

export function rankOfPath(path: string | undefined): PathRank {
  if (path === undefined || path === '') return { literal: 0, form: 3 };
  const exactText = exact.exec(path)?.[1];
  if (exactText !== undefined) return { literal: unescapedLength(exactText), form: 0 };
  const prefixText = prefix.exec(path)?.[1];
  if (prefixText !== undefined) return { literal: unescapedLength(prefixText), form: 1 };
  // Any other expression is somebody's own; its length is the best that can be said of it.
  return { literal: path.length, form: 2 };
}

function unescapedLength(text: string): number {
  return text.replace(/\\(.)/g, '$1').length;
}
