import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../registry/json.ts';
import type { SchemaNode } from '../../registry/schema-node.ts';
import { createCelEnvironment } from './cel-environment.ts';
import { declareTypes } from './cel-types.ts';
import { compileProblem } from './check-rule.ts';
import { compileRules } from './compile-rules.ts';
import { validateRules } from './validate-rules.ts';

const file = new URL('../golden/cel-expressions.json', import.meta.url);
const { schema, object, expressions } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly schema: SchemaNode;
  readonly object: JsonObject;
  readonly expressions: readonly string[];
};

describe('expressions that kube-apiserver finds true compile and are true here', () => {
  for (const rule of expressions) {
    test(rule, () => {
      const types = { isResource: false, optionalOldSelf: false };
      expect(compileProblem(declareTypes(createCelEnvironment(), schema, types), rule, 'bool')).toBeUndefined();
      const tree = compileRules({ properties: { spec: { ...schema, 'x-kubernetes-validations': [{ rule }] } } });
      expect(validateRules({ spec: object }, undefined, tree!)).toEqual([]);
    });
  }
});

test('a rule that is not true fails', () => {
  const rules = [{ rule: 'self.n == 2' }];
  const tree = compileRules({ properties: { spec: { ...schema, 'x-kubernetes-validations': rules } } });
  expect(validateRules({ spec: object }, undefined, tree!)).toHaveLength(1);
});
