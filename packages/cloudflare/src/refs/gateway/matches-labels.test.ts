import { expect, test } from 'vitest';
import { matchesLabels } from './matches-labels.ts';

const labels = { team: 'blue', tier: 'web' };
const one = (operator: string, key: string, values?: readonly string[]) => ({
  matchExpressions: [{ key, operator, ...(values && { values }) }],
});

test.each([
  ['nothing asked', {}, true],
  ['a label that is so', { matchLabels: { team: 'blue' } }, true],
  ['one of two is not', { matchLabels: { team: 'blue', tier: 'db' } }, false],
  ['In', one('In', 'team', ['red', 'blue']), true],
  ['In without the label', one('In', 'owner', ['red']), false],
  ['NotIn', one('NotIn', 'team', ['red']), true],
  ['NotIn with it', one('NotIn', 'team', ['blue']), false],
  ['NotIn without the label', one('NotIn', 'owner', ['blue']), true],
  ['Exists', one('Exists', 'team'), true],
  ['Exists without it', one('Exists', 'owner'), false],
  ['DoesNotExist', one('DoesNotExist', 'owner'), true],
  ['DoesNotExist with it', one('DoesNotExist', 'team'), false],
  ['an operator of tomorrow', one('Near', 'team', ['blue']), false],
  ['labels and expressions together', { matchLabels: { team: 'blue' }, ...one('Exists', 'owner') }, false],
])('%s', (_name, selector, matches) => {
  expect(matchesLabels(selector, labels)).toBe(matches);
});
