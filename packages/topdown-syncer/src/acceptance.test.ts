import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acceptance } from './testing/acceptance.ts';

// What users of the original rely on, line by line, and the test that holds us to it. Cases of Go alone (a nil client, a wrong type in a
// queue) have no counterpart here: the compiler refuses them.

const adr = readFileSync(join(import.meta.dirname, '../../../docs/adr/0017-syncer-where-we-differ.md'), 'utf8');

/** It stands at one end of a text in quotes, as the title of a test does: a word in a comment is no test. */
function isTitle(text: string, name: string): boolean {
  return ["'", '"', '`'].some((quote) => text.includes(quote + name) || text.includes(name + quote));
}

describe('every behaviour that the original is known for', () => {
  for (const [area, lines] of Object.entries(acceptance)) {
    test(`${area}: has a test of that name`, () => {
      const missing = lines.filter(({ in: file, test: name }) => {
        const text = readFileSync(join(import.meta.dirname, file), 'utf8');
        return !isTitle(text, name);
      });
      expect(missing).toEqual([]);
    });

    test(`${area}: where it differs, the decision is written down`, () => {
      const undecided = lines.filter(({ differs }) => differs !== undefined && !adr.includes(`| ${differs} `));
      expect(undecided).toEqual([]);
    });
  }
});
