export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type FilterSide = { readonly value: unknown } | { readonly steps: readonly PathStep[] };

export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'deep' }
  | { readonly kind: 'slice'; readonly from: number; readonly to: number | 'one' | undefined; readonly step: number }
  | { readonly kind: 'union'; readonly steps: readonly PathStep[] }
  | {
      readonly kind: 'filter';
      readonly left: FilterSide;
      readonly operator: Comparison | undefined;
      readonly right: FilterSide | undefined;
    };

/** Reads a path, with or without `$` or `@` in front. */
export function parseJsonPath(source: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  let rest = source.trim().replace(/^[$@]/, '');
  while (rest !== '') {
    const { step, consumed } = next(rest, source);
    if (step) steps.push(step);
    rest = rest.slice(consumed);
  }
  return steps;
}

function next(rest: string, source: string): { readonly step: PathStep | undefined; readonly consumed: number } {
  if (rest.startsWith('..')) return { step: { kind: 'deep' }, consumed: rest[2] === '[' || rest[2] === '*' ? 2 : 1 };
  if (rest.startsWith('[')) {
    const end = closing(rest, source);
    return { step: bracket(rest.slice(1, end).trim(), source), consumed: end + 1 };
  }
  if (rest === '.') return { step: undefined, consumed: 1 };
  const name = /^\.?((?:[^.[\]\\]|\\.)+)/.exec(rest);
  if (!name) {
    if (rest.startsWith('.[')) return { step: undefined, consumed: 1 };
    throw new Error(`unrecognized character in action: ${rest[0]} in ${source}`);
  }
  const word = (name[1] ?? '').replaceAll(/\\(.)/g, '$1');
  return { step: word === '*' ? { kind: 'all' } : { kind: 'field', name: word }, consumed: name[0].length };
}

/** Where the bracket at the start ends: quotes and brackets inside do not count. */
function closing(text: string, source: string): number {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== '') quote = char === quote && text[at - 1] !== '\\' ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '[') depth += 1;
    else if (char === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new Error(`unterminated array in ${source}`);
}

function bracket(inside: string, source: string): PathStep {
  if (inside === '*' || inside === '') return { kind: 'all' };
  const filter = /^\?\((.*)\)$/s.exec(inside);
  if (filter) return parseFilter(filter[1] ?? '');
  const parts = inside.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  if (parts.length > 1) return { kind: 'union', steps: parts.map((part) => bracket(part.trim(), source)) };
  const quoted = /^(['"])(.*)\1$/s.exec(inside);
  if (quoted) return { kind: 'field', name: (quoted[2] ?? '').replaceAll(/\\(.)/g, '$1') };
  const range = /^(-?\d*)(:(-?\d*)(?::(\d*))?)?$/.exec(inside);
  if (!range) throw new Error(`invalid array index ${inside} in ${source}`);
  const from = Number(range[1] === '' ? 0 : range[1]);
  if (range[2] === undefined) return { kind: 'slice', from, to: 'one', step: 1 };
  const to = range[3] === undefined || range[3] === '' ? undefined : Number(range[3]);
  return { kind: 'slice', from, to, step: Number(range[4] === undefined || range[4] === '' ? 1 : range[4]) };
}

function parseFilter(text: string): PathStep {
  const parts = /^((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'=!<>])+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/s.exec(text.trim());
  if (!parts) return { kind: 'filter', left: side(text), operator: undefined, right: undefined };
  return { kind: 'filter', left: side(parts[1] ?? ''), operator: parts[2] as Comparison, right: side(parts[3] ?? '') };
}

function side(given: string): FilterSide {
  const text = given.trim();
  const quoted = /^(['"])(.*)\1$/s.exec(text);
  if (quoted) return { value: quoted[2] ?? '' };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { value: Number(text) };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  return { steps: parseJsonPath(text) };
}
