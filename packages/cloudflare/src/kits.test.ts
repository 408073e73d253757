import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contributors, targets } from './catalog.ts';

// Whoever adds a kind or a target adds a call of its kit: what all of them must do is tested there, and only there.

const texts = globSync('**/*.test.ts', { cwd: import.meta.dirname }).map((path) =>
  readFileSync(`${import.meta.dirname}/${path}`, 'utf8'),
);

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
