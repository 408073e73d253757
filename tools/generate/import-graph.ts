import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What one module takes from another at run time. */
export type Import = { readonly names: readonly string[]; readonly path: string };

export type Reach = {
  /** Every value that the module or those behind it import, with the module that it comes from. */
  readonly imports: readonly Import[];
  /** The text of every module on the way. */
  readonly texts: readonly string[];
};

const statement = /import\s+(type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/g;

/** Follows the relative imports of a module below a root, as far as `follows` allows. Paths are relative to the root. */
export function reachOf(root: string, start: string, follows: (path: string) => boolean): Reach {
  const seen = new Set<string>();
  const imports: Import[] = [];
  const texts: string[] = [];
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(join(root, path), 'utf8');
    texts.push(text);
    for (const one of importsOf(root, path, text)) {
      imports.push(one);
      if (follows(one.path)) visit(one.path);
    }
  };
  visit(start);
  return { imports, texts };
}

function importsOf(root: string, path: string, text: string): readonly Import[] {
  return [...text.matchAll(statement)]
    .filter(([, isType]) => isType === undefined)
    .map(([, , names = '', from = '']) => ({
      names: names
        .split(',')
        .map((name) => name.trim().split(' as ')[0] ?? '')
        .filter((name) => name !== '' && !name.startsWith('type ')),
      path: relative(root, join(root, dirname(path), from)),
    }));
}
