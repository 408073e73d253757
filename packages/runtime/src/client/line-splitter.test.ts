import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from './line-splitter.ts';

function split(chunks: readonly Uint8Array[]): readonly string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

test('a line is handed on as soon as its newline has come', () => {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  splitter.push(bytes('one\ntw'));
  expect(lines).toEqual(['one']);
  splitter.push(bytes('o\n'));
  expect(lines).toEqual(['one', 'two']);
});

test('empty lines are skipped', () => {
  expect(split([bytes('\n\na\n'), bytes('\n'), bytes('b\n\n')])).toEqual(['a', 'b']);
});

test('what stands after the last newline is handed on at the end, once', () => {
  expect(split([bytes('a\nb')])).toEqual(['a', 'b']);
  expect(split([bytes('a\n')])).toEqual(['a']);
});

test('a carriage return is part of the line', () => {
  expect(split([bytes('a\r\nb\n')])).toEqual(['a\r', 'b']);
});

test('a character that is cut between two chunks stays whole', () => {
  const whole = bytes('{"a":"水€😀"}\n');
  for (let at = 0; at <= whole.length; at += 1) {
    expect(split([whole.subarray(0, at), whole.subarray(at)])).toEqual(['{"a":"水€😀"}']);
  }
});

test('chunks need not be Buffers and may be views into a larger one', () => {
  const backing = new Uint8Array(bytes('xxa\nbxx'));
  expect(split([backing.subarray(2, 5), bytes('\n')])).toEqual(['a', 'b']);
});

test('however the bytes are cut, the lines are the same', () => {
  const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lines, sizes) => {
      const all = bytes(lines.map((line) => `${line}\n`).join(''));
      const chunks: Buffer[] = [];
      for (let at = 0, turn = 0; at < all.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        chunks.push(all.subarray(at, at + size));
        at += size;
      }
      const whole = bytes(lines.join('\n')).toString('utf8');
      expect(split(chunks)).toEqual(whole.split('\n').filter((line) => line !== ''));
    }),
  );
});

test('a line of many megabytes in small chunks takes time in proportion to its length', () => {
  const chunk = Buffer.alloc(1024, 'a');
  const lines: number[] = [];
  const splitter = createLineSplitter((line) => lines.push(line.length));
  for (let count = 0; count < 16 * 1024; count += 1) splitter.push(chunk);
  splitter.push(bytes('\n'));
  expect(lines).toEqual([16 * 1024 * 1024]);
});
