import { expect, test } from 'vitest';
import { unstructuredProblem } from './unstructured-problem.ts';

for (const [found, type, problem] of [
  ['string', '[]v1.Container', 'cannot restore slice from string'],
  ['number', 'map[string]string', 'cannot restore map from int64'],
  ['array', 'v1.PodSpec', 'cannot restore struct from: slice'],
  ['number', 'string', 'cannot convert int64 to string'],
  ['object', 'int32', 'cannot convert map[string]interface {} to int32'],
] as const) {
  test(`${found} for ${type}: ${problem}`, () => {
    const decoding = `json: cannot unmarshal ${found} into Go struct field PodSpec.spec.x of type ${type}`;
    expect(unstructuredProblem(decoding)).toBe(problem);
  });
}

test('other problems stay as they are', () => {
  expect(unstructuredProblem('strict decoding error: unknown field "x"')).toBe(
    'strict decoding error: unknown field "x"',
  );
});
