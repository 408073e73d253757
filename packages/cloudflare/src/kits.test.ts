import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contributors, targets } from './catalog.ts';

// Whoever adds a kind or a target adds a call of its kit: what all of them must do is tested there, and only there.

const here = import.meta.dirname;
const textsOf = (pattern: string, folder = here): readonly string[] =>
  globSync(pattern, { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'));
const texts = textsOf('**/*.test.ts');

/** What the kit is called with, in small letters: `kind: dnsRecordKind`, `routeCase(httpRouteKind, …)`. */
function givenTo(kit: string, suffix: string): ReadonlySet<string> {
  const names = new RegExp(String.raw`\b(\w+)${suffix}\b`, 'g');
  const found = texts.filter((text) => text.includes(`${kit}(`)).flatMap((text) => [...text.matchAll(names)]);
  return new Set(found.map(([, name = '']) => name.toLowerCase()));
}

describe('the kit', () => {
  test('of kinds is called for every kind of the catalog', () => {
    const given = givenTo('describeKind', 'Kind');
    expect(contributors.map(({ kind }) => kind.kind).filter((kind) => !given.has(kind.toLowerCase()))).toEqual([]);
  });

  test('of targets is called for every target of the catalog', () => {
    const given = givenTo('describeTarget', 'Target');
    const types = targets.map(({ contract }) => contract.type);
    expect(types.filter((type) => !given.has(type.toLowerCase()))).toEqual([]);
  });
});

test('every kind of the catalog comes and goes on a real API server', () => {
  // All examples are applied there by real/own-rights.real.test.ts.
  const examples = textsOf('*/*.yaml', join(here, '../../../examples/cloudflare')).join('\n');
  const tests = [...textsOf('**/*.real.test.ts'), ...textsOf('real/testing/*.ts')].join('\n');
  const isThere = (kind: string): boolean =>
    new RegExp(String.raw`\b${kind}(Kind)?\b`, 'i').test(tests) || new RegExp(`kind: ${kind}\\b`).test(examples);
  expect(contributors.map(({ kind }) => kind.kind).filter((kind) => !isThere(kind))).toEqual([]);
});

test('half of the kinds cost at most 150 lines', () => {
  const paths = globSync('kinds/*/*.ts', { cwd: here }).filter((path) => !path.endsWith('.test.ts'));
  const byKind = Map.groupBy(paths, (path) => dirname(path));
  const costs = [...byKind.values()].map((files) =>
    files.reduce((sum, path) => sum + readFileSync(join(here, path), 'utf8').split('\n').length - 1, 0),
  );
  const median = costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)];
  expect(median).toBeLessThanOrEqual(150);
});
