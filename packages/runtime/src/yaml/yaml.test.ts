import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOperatorError } from '../operator-error.ts';
import { parseRepeatingYaml, parseYaml, parseYamlDocuments } from './parse-yaml.ts';
import { toYaml } from './to-yaml.ts';

// Every value here is what kubectl 1.36 makes of the text.
const scalars: readonly (readonly [string, unknown])[] = [
  ['yes', true],
  ['on', true],
  ['Y', true],
  ['TRUE', true],
  ['n', false],
  ['NO', false],
  ['off', false],
  ['tRue', 'tRue'],
  ['0644', 420],
  ['-0644', -420],
  ['+0644', 420],
  ['0_644', 420],
  ['089', 89],
  ['0o14', 12],
  ['0O14', 12],
  ['-0o14', -12],
  ['0o19', '0o19'],
  ['1_000', 1000],
  ['1_', 1],
  ['_1', '_1'],
  ['1_000.5', 1000.5],
  ['1,000', '1,000'],
  ['0x1F', 31],
  ['-0x1F', -31],
  ['0x_1F', 31],
  ['0xZZ', '0xZZ'],
  ['0b101', 5],
  ['-0b101', -5],
  ['0b12', '0b12'],
  ['12:30:45', '12:30:45'],
  ['190:20:30.15', '190:20:30.15'],
  ['2026-11-15', '2026-11-15'],
  ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00Z'],
  ['!!timestamp 2026-01-01', '2026-01-01'],
  ['~', null],
  ['Null', null],
  ['', null],
  ['-0', 0],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['+.5', 0.5],
  ['5.', 5],
  ['1e3', 1000],
  ['1e+3', 1000],
  ['1e', '1e'],
  ['1e400', '1e400'],
  ['123456789012345678901234567890', 1.2345678901234568e29],
  ['=', '='],
  ['<<', '<<'],
  ['"yes"', 'yes'],
  ["'0644'", '0644'],
  ['!!str 123', '123'],
  ['!!int "12"', 12],
  ['!!float 3', 3],
  ['!!binary aGk=', 'hi'],
  ['!foo bar', 'bar'],
];

for (const [text, value] of scalars) {
  test(`the plain value ${text === '' ? 'nothing' : text} is read as ${JSON.stringify(value)}`, () => {
    expect(parseYaml(`v: ${text}`)).toEqual({ v: value });
  });
}

const documents: readonly { name: string; text: string; value: unknown }[] = [
  { name: 'a key that looks like a boolean becomes its name', text: 'y: 1', value: { true: 1 } },
  { name: 'an octal key becomes the decimal number as text', text: '0644: x', value: { '420': 'x' } },
  {
    name: 'an alias stands for a copy of its anchor',
    text: 'a: &x {b: 1}\nc: *x',
    value: { a: { b: 1 }, c: { b: 1 } },
  },
  { name: 'a merge key adds what is not set', text: 'd: {<<: {q: 1, z: 1}, z: 2}', value: { d: { q: 1, z: 2 } } },
  { name: 'JSON indented with tabs is accepted', text: '{\n\t"a": [\n\t\t1\n\t]\n}', value: { a: [1] } },
  { name: 'lines may end with carriage return and newline', text: 'a: b\r\nc: d\r\n', value: { a: 'b', c: 'd' } },
  { name: 'a block keeps its lines', text: 'a: |\n  hi\n  there\n', value: { a: 'hi\nthere\n' } },
  { name: 'an empty text is null', text: '', value: null },
  { name: 'a comment alone is null', text: '# nothing\n', value: null },
  { name: 'empty documents around the one do not count', text: '---\n---\na: 1\n---\n', value: { a: 1 } },
];

for (const { name, text, value } of documents) {
  test(`reading: ${name}`, () => expect(parseYaml(text)).toEqual(value));
}

test('a key named __proto__ is an ordinary key', () => {
  const value = parseYaml('__proto__: {polluted: yes}') as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect('polluted' in value).toBe(false);
});

test('keys given twice are named by line when asked for, and the last value counts', () => {
  const text = 'a: 1\nb: {c: 1, c: 2}\nd:\n- e: 1\n  e: 2\na: 3\n';
  expect(parseRepeatingYaml(text)).toEqual({
    value: { a: 3, b: { c: 2 }, d: [{ e: 2 }] },
    repeated: [
      { key: 'c', line: 2 },
      { key: 'e', line: 5 },
      { key: 'a', line: 6 },
    ],
  });
  expect(parseRepeatingYaml('')).toEqual({ value: null, repeated: [] });
  expect(() => parseRepeatingYaml('a: 1\n---\nb: 2')).toThrow('expected one document, found 2');
});

test('several documents are read in order and empty ones left out', () => {
  expect(parseYamlDocuments('a: 1\n---\n---\n# nothing\n---\n- b\n...\n')).toEqual([{ a: 1 }, ['b']]);
});

const mistakes: readonly { name: string; text: string; message: string }[] = [
  { name: 'a key set twice', text: 'a: 1\nb: 2\na: 3', message: 'YAML: line 3, column 1: Map keys must be unique' },
  {
    name: 'a key set twice by two spellings',
    text: 'yes: 1\non: 2',
    message: 'YAML: line 2, column 1: Map keys must be unique',
  },
  { name: 'an empty key', text: 'a:\n  ~: x', message: 'YAML: line 2, column 3: a key must not be empty' },
  { name: 'a list as a key', text: '? [a]\n: b', message: 'YAML: line 1, column 3: a list or a map cannot be a key' },
  {
    name: 'infinity, which JSON cannot hold',
    text: 'a: 1\nb: .inf',
    message: 'YAML: line 2, column 4: .inf cannot be a value of a Kubernetes object',
  },
  {
    name: 'an alias without an anchor',
    text: 'a:\n- *x',
    message: 'YAML: line 2, column 3: no anchor &x stands before this alias',
  },
  {
    name: 'a tab as indentation',
    text: 'a:\n\t- b',
    message: 'YAML: line 2, column 1: Tabs are not allowed as indentation',
  },
  {
    name: 'a second document where one is expected',
    text: 'a: 1\n---\nb: 2',
    message: 'YAML: expected one document, found 2',
  },
];

for (const { name, text, message } of mistakes) {
  test(`${name} is refused with the place`, () => {
    let error: unknown;
    try {
      parseYaml(text);
    } catch (caught) {
      error = caught;
    }
    if (!isOperatorError(error)) throw new Error('expected an OperatorError', { cause: error });
    expect([error.code, error.message, error.retry]).toEqual(['yaml/invalid', message, { kind: 'never' }]);
  });
}

test('aliases that would unfold without end are refused', () => {
  const levels = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(10)}]`);
  expect(() => parseYaml(['l0: &l0 x', ...levels].join('\n'))).toThrow(/YAML: Excessive alias count/u);
});

test('what is written is read back as the same value', () => {
  const tricky = fc.constantFrom(
    ...scalars.map(([text]) => text),
    ' a',
    'a: b',
    '#x',
    '- x',
    'a\n\nb',
    '\t',
    '%',
    '---',
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      tricky,
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(tricky, fc.string()), tie('any'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).any;
  fc.assert(
    fc.property(value, (value) => {
      expect(parseYaml(toYaml({ value }))).toEqual({ value });
    }),
    { numRuns: 500 },
  );
});

test('text that some reader of YAML would take for something else is quoted, fields without a value are left out', () => {
  expect(
    toYaml({ mode: '0644', at: '12:30:45', day: '2026-11-15', answer: 'no', none: undefined, y: [1, { a: 'b' }] }),
  ).toBe('mode: "0644"\nat: "12:30:45"\nday: "2026-11-15"\nanswer: "no"\n"y":\n- 1\n- a: b\n');
});

test('the same object twice is written twice, not as an alias', () => {
  const shared = { a: 1 };
  expect(toYaml([shared, shared])).toBe('- a: 1\n- a: 1\n');
});
