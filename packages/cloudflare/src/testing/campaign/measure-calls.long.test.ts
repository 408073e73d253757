import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allKinds } from '../../catalog.ts';
import { fixtures } from './fixtures.ts';
import { measureCalls } from './measure-calls.ts';

type Recorded = { readonly calls: Readonly<Record<string, readonly string[]>> };

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../wire/target-calls.json'), 'utf8'),
) as Recorded;
const kinds = allKinds.filter(({ kind }) => fixtures[kind]);

test.each(kinds.map((kind) => [kind.kind, kind] as const))(
  'objects of %s make no call that is not written down',
  { timeout: 300_000 },
  async (name, kind) => {
    const measured = await measureCalls(kind, fixtures[name] ?? { bases: [{}] });
    for (const [target, calls] of measured) {
      expect(recorded.calls[target]).toEqual(expect.arrayContaining([...calls]));
    }
  },
);
