import { expect, test } from 'vitest';
import { OperatorError } from '../operator-error.ts';
import type { Retry } from '../operator-error.ts';
import { judgeFailure } from './judge-failure.ts';

const error = (code: string, retry: Retry): OperatorError => new OperatorError(code, 'no', retry);
const never = error('test/never', { kind: 'never' });
const backoff = error('test/backoff', { kind: 'backoff' });
const soon = error('test/soon', { kind: 'after', ms: 10 });
const later = error('test/later', { kind: 'after', ms: 9000 });

const cases = [
  { name: 'an OperatorError decides itself', thrown: soon, code: 'test/soon', retry: { kind: 'after', ms: 10 } },
  {
    name: 'any other error is a bug',
    thrown: new TypeError('x is undefined'),
    code: 'bug',
    retry: { kind: 'backoff' },
  },
  { name: 'a thrown value that is no error is a bug', thrown: 'no', code: 'bug', retry: { kind: 'backoff' } },
  { name: 'never stays never', thrown: never, code: 'test/never', retry: { kind: 'never' } },
  {
    name: 'of several the soonest wins',
    thrown: [never, later, soon],
    code: 'test/soon',
    retry: { kind: 'after', ms: 10 },
  },
  {
    name: 'back-off comes before a named time',
    thrown: [soon, backoff],
    code: 'test/backoff',
    retry: { kind: 'backoff' },
  },
  { name: 'only never is never', thrown: [never, never], code: 'test/never', retry: { kind: 'never' } },
  { name: 'a bug among others is retried', thrown: [never, new Error('x')], code: 'bug', retry: { kind: 'backoff' } },
  { name: 'several errors without one are a bug', thrown: [], code: 'bug', retry: { kind: 'backoff' } },
  {
    name: 'several within several count',
    thrown: [never, new AggregateError([later, never])],
    code: 'test/later',
    retry: { kind: 'after', ms: 9000 },
  },
];
test.each(cases)('$name', ({ thrown, code, retry }) => {
  expect(judgeFailure(Array.isArray(thrown) ? new AggregateError(thrown) : thrown)).toEqual({ code, retry });
});
