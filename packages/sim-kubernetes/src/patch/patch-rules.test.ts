import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../registry/api-error.ts';
import type { JsonObject } from '../registry/json.ts';
import { resolvedSchema } from '../kinds/resolved-schema.ts';
import { applyJsonPatch } from './apply-json-patch.ts';
import { applyMergePatch } from './apply-merge-patch.ts';
import { applyStrategicMerge } from './apply-strategic-merge.ts';
import { patchRules } from './patch-rules.ts';

type Refusal = { readonly reason?: string; readonly message?: string; readonly details?: JsonObject };
type Answers = {
  readonly json: readonly (Refusal & { readonly ops: unknown; readonly status: number; readonly any?: unknown })[];
  readonly originals: Readonly<Record<string, JsonObject>>;
  readonly strategic: readonly (Refusal & {
    readonly type: string;
    readonly patch: JsonObject;
    readonly status: number;
    readonly result?: JsonObject;
  })[];
};

const answers = JSON.parse(readFileSync(new URL('golden/patch-cases.json', import.meta.url), 'utf8')) as Answers;

/** What comes out, or with what words it is refused. */
function outcome(run: () => unknown): unknown {
  try {
    return { result: run() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, reason, message } = error;
    return { status, reason, message };
  }
}

describe('JSON patches do what kube-apiserver does', () => {
  const target = { spec: { any: { a: { b: 1 }, l: [1, 2, 3], s: 'x' } } };
  for (const { ops, status, any, reason, message } of answers.json) {
    test(JSON.stringify(ops), () => {
      const before = JSON.stringify(target);
      const wanted = status === 200 ? { result: { spec: { any } } } : { status, reason, message };
      expect(outcome(() => applyJsonPatch(target, ops))).toEqual(wanted);
      expect(JSON.stringify(target)).toBe(before);
    });
  }

  test('more than ten thousand operations are too many', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/spec/any/s', value: 'x' }));
    expect(outcome(() => applyJsonPatch(target, operations))).toEqual({
      status: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
    expect(applyJsonPatch(target, operations.slice(1))).toEqual(target);
  });
});

describe('merge patches: the examples of RFC 7386', () => {
  const vectors: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of vectors) {
    test(`${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      expect(applyMergePatch(target, patch)).toEqual(result);
    });
  }

  test('a null in an object of a list is removed, as on the server', () => {
    expect(applyMergePatch({}, { l: [{ x: null, y: 1 }, null] })).toEqual({ l: [{ y: 1 }, null] });
  });

  test('a patch that is no object is refused', () => {
    expect(outcome(() => patchRules.mergePatch({}, [1] as unknown as JsonObject))).toEqual({
      status: 400,
      reason: 'BadRequest',
      message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    });
  });

  test('twice is the same as once, and the target stays as it was', () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = JSON.stringify(target);
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify(target)).toBe(before);
      }),
    );
  });
});

describe('strategic merge patches do what kube-apiserver does', () => {
  for (const { type, patch, status, result, reason, message } of answers.strategic) {
    test(`${type.split('.').at(-1)}: ${JSON.stringify(patch)}`, () => {
      const target = answers.originals[type]!;
      const before = JSON.stringify(target);
      const wanted = result === undefined ? { status, reason, message } : { result };
      const run = (): unknown => withoutEmptyAnnotations(applyStrategicMerge(target, patch, resolvedSchema(type)));
      expect(outcome(run)).toEqual(wanted);
      expect(JSON.stringify(target)).toBe(before);
    });
  }

  test('without directives twice is the same as once', () => {
    const container = fc.record({ name: fc.constantFrom('one', 'two', 'three', 'new'), image: fc.string() });
    const containers = fc.uniqueArray(container, { selector: ({ name }) => name, maxLength: 4 });
    const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(fc.string()));
    const type = 'io.k8s.api.apps.v1.Deployment';
    fc.assert(
      fc.property(containers, labels, (containers, labels) => {
        const patch = { metadata: { labels }, spec: { template: { spec: { containers } } } };
        const once = applyStrategicMerge(answers.originals[type], patch, resolvedSchema(type));
        expect(applyStrategicMerge(once, patch, resolvedSchema(type))).toEqual(once);
      }),
    );
  });
});

/** The server leaves an empty map out when it writes the object, which is not the patch's business. */
function withoutEmptyAnnotations(object: unknown): unknown {
  const { metadata, ...rest } = object as { readonly metadata: JsonObject };
  const { annotations, ...others } = metadata;
  const empty = annotations !== undefined && Object.keys(annotations as JsonObject).length === 0;
  return empty ? { ...rest, metadata: others } : object;
}
