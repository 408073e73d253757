import { describe, expect, test } from 'vitest';
import { selectsNode } from './node-selector.ts';
import type { NodeSelectorTerms } from './node-selector.ts';

const node = { metadata: { name: 'node-1', labels: { zone: 'a', cores: '16' } } };
const where = (key: string, operator: string, ...values: string[]): NodeSelectorTerms => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
});
const named = (operator: string, ...values: string[]): NodeSelectorTerms => ({
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator, values }] }],
});

describe('a selector of nodes', () => {
  const cases: readonly (readonly [string, NodeSelectorTerms | undefined, boolean])[] = [
    ['that is absent takes all', undefined, true],
    ['without terms takes all', { nodeSelectorTerms: [] }, true],
    ['with an empty term takes none', { nodeSelectorTerms: [{}] }, false],
    ['In', where('zone', 'In', 'a', 'b'), true],
    ['In another', where('zone', 'In', 'b'), false],
    ['In without the label', where('rack', 'In', 'a'), false],
    ['NotIn', where('zone', 'NotIn', 'b'), true],
    ['NotIn without the label', where('rack', 'NotIn', 'b'), true],
    ['NotIn its own', where('zone', 'NotIn', 'a'), false],
    ['Exists', where('zone', 'Exists'), true],
    ['Exists without the label', where('rack', 'Exists'), false],
    ['DoesNotExist', where('rack', 'DoesNotExist'), true],
    ['Gt', where('cores', 'Gt', '8'), true],
    ['Gt the same', where('cores', 'Gt', '16'), false],
    ['Lt', where('cores', 'Lt', '32'), true],
    ['Gt of a word', where('zone', 'Gt', '8'), false],
    ['Gt of two values', where('cores', 'Gt', '8', '9'), false],
    ['with an operator nobody knows', where('zone', 'Near', 'a'), false],
    ['by name', named('In', 'node-1'), true],
    ['by another name', named('In', 'node-2'), false],
    ['by two names', named('In', 'node-1', 'node-2'), false],
    ['by not a name', named('NotIn', 'node-2'), false],
    [
      'of two terms needs one',
      {
        nodeSelectorTerms: [
          ...where('zone', 'In', 'b').nodeSelectorTerms!,
          ...where('zone', 'In', 'a').nodeSelectorTerms!,
        ],
      },
      true,
    ],
    [
      'of one term needs all of it',
      {
        nodeSelectorTerms: [
          {
            matchExpressions: [{ key: 'zone', operator: 'Exists' }],
            matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-2'] }],
          },
        ],
      },
      false,
    ],
  ];
  for (const [name, selector, takes] of cases) {
    test(name, () => expect(selectsNode(selector, node)).toBe(takes));
  }
});
