import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedFields } from './repeated-fields.ts';

const rows: readonly (readonly [json: string, paths: readonly string[]])[] = [
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"b":1,"b":2}}', ['a.b']],
  ['{"a":[{"b":1},{"b":1,"b":2}]}', ['a[1].b']],
  ['{"a":1,"b":{"a":2}}', []],
  ['{ "a" : "x\\"a\\"" , "a" : null }', ['a']],
  ['{"a":"\\\\","a":1}', ['a']],
  ['{"\\u0061":1,"a":2}', ['a']],
  ['{"a":1,"a":2,"a":3}', ['a', 'a']],
  ['[]', []],
  ['{"a":[],"b":{},"c":-1.5e3,"d":true}', []],
];

test.each(rows)('%s repeats %j', (json, paths) => {
  expect(repeatedFields(json)).toEqual(paths);
});

test('what JSON.stringify wrote repeats nothing, however it is indented', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      expect(repeatedFields(JSON.stringify(value, undefined, indent))).toEqual([]);
    }),
  );
});
