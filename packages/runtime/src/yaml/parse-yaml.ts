import { LineCounter, isCollection, isScalar, parseAllDocuments, visit } from 'yaml';
import type { Document, Node } from 'yaml';
import { OperatorError } from '../operator-error.ts';
import { kubectlTags } from './kubectl-tags.ts';

/**
 * The value of a text with one YAML document, as kubectl reads it. A text without a value is null. Throws an
 * `OperatorError` of code `yaml/invalid` that names line and column.
 */
export function parseYaml(text: string): unknown {
  const values = parseYamlDocuments(text);
  if (values.length > 1) throw invalid(`expected one document, found ${values.length}`);
  return values[0] ?? null;
}

/** A key that its map holds already, further up. */
export type RepeatedKey = { readonly key: string; readonly line: number };

/** As `parseYaml`, but a key that is given twice is named instead of refused; the last value counts. */
export function parseRepeatingYaml(text: string): {
  readonly value: unknown;
  readonly repeated: readonly RepeatedKey[];
} {
  const lines = new LineCounter();
  const [document, ...more] = documentsOf(text, lines, false);
  if (more.length > 0) throw invalid(`expected one document, found ${more.length + 1}`);
  if (document === undefined) return { value: null, repeated: [] };
  return { value: toValue(document, lines), repeated: repeatedKeys(document, lines) };
}

function repeatedKeys(document: Document.Parsed, lines: LineCounter): readonly RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) repeated.push({ key: name, line: lines.linePos(key.range?.[0] ?? 0).line });
        seen.add(name);
      }
    },
  });
  return repeated.toSorted((a, b) => a.line - b.line);
}

function documentsOf(text: string, lines: LineCounter, uniqueKeys: boolean): readonly Document.Parsed[] {
  return Array.from(
    parseAllDocuments(text, {
      version: '1.1',
      schema: 'failsafe',
      customTags: kubectlTags(),
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
      uniqueKeys,
    }),
  );
}

/** The values of all documents in the text. Empty documents are left out, as kubectl does. */
export function parseYamlDocuments(text: string): readonly unknown[] {
  const lines = new LineCounter();
  const documents = documentsOf(text, lines, true);
  return documents.map((document) => toValue(document, lines)).filter((value) => value !== null);
}

function toValue(document: Document.Parsed, lines: LineCounter): unknown {
  const [first] = document.errors;
  if (first !== undefined) throw invalid(first.message, lines.linePos(first.pos[0]));
  const at = (node: unknown): Position => lines.linePos((node as Node | null)?.range?.[0] ?? 0);
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isCollection(key)) throw invalid('a list or a map cannot be a key', at(key));
      if (isScalar(key) && key.value === null) throw invalid('a key must not be empty', at(key));
      if (key === null) throw invalid('a key must not be empty', at(value));
    },
    Alias: (_, alias) => {
      if (alias.resolve(document) === undefined) {
        throw invalid(`no anchor &${alias.source} stands before this alias`, at(alias));
      }
    },
  });
  try {
    return document.toJS();
  } catch (error) {
    // Aliases of aliases that would unfold into more than memory holds.
    throw invalid((error as Error).message, undefined, error);
  }
}

type Position = { readonly line: number; readonly col: number };

function invalid(what: string, at?: Position, cause?: unknown): OperatorError {
  const where = at === undefined ? '' : `line ${at.line}, column ${at.col}: `;
  return new OperatorError('yaml/invalid', `YAML: ${where}${what}`, { kind: 'never' }, { cause });
}
