import { expect, test } from 'vitest';
import {
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  expired,
  forbidden,
  internalError,
  invalid,
  methodNotAllowed,
  notAcceptable,
  notFound,
  serverTimeout,
  storeTooLarge,
  timeout,
  tooManyRequests,
  unauthorized,
} from './api-error.ts';

const deployments = { group: 'apps', plural: 'deployments' };
const pods = { group: '', plural: 'pods' };
const required = { field: 'a', reason: 'FieldValueRequired' as const, message: 'Required value' };
const wrong = { field: 'b', reason: 'FieldValueInvalid' as const, message: 'Invalid value: 1: no' };

const rows = [
  [notFound(deployments, 'x'), 404, 'deployments.apps "x" not found'],
  [notFound(pods, 'x'), 404, 'pods "x" not found'],
  [alreadyExists(pods, 'x'), 409, 'pods "x" already exists'],
  [conflict(pods, 'x', 'no'), 409, 'Operation cannot be fulfilled on pods "x": no'],
  [forbidden(pods, 'x', 'no'), 403, 'pods "x" is forbidden: no'],
  [forbidden(pods, '', 'no'), 403, 'pods is forbidden: no'],
  [forbidden({ group: '', plural: '' }, '', 'no'), 403, 'forbidden: no'],
  [unauthorized(), 401, 'Unauthorized'],
  [badRequest('what'), 400, 'what'],
  [methodNotAllowed(deployments, 'watch'), 405, 'watch is not supported on resources of kind "deployments.apps"'],
  [methodNotAllowed(), 405, 'the server does not allow this method on the requested resource'],
  [notAcceptable(['a', 'b']), 406, 'only the following media types are accepted: a, b'],
  [expired('old'), 410, 'old'],
  [timeout('slow', 0), 504, 'Timeout: slow'],
  [tooManyRequests('later', 1), 429, 'later'],
  [internalError('oops'), 500, 'Internal error occurred: oops'],
  [
    serverTimeout(pods, 'list', 2),
    500,
    'The list operation against pods could not be completed at this time, please try again.',
  ],
  [storeTooLarge(1_600_000), 500, 'etcdserver: request is too large'],
  [
    storeTooLarge(2_500_325),
    500,
    'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2500325 vs. 2097152)',
  ],
  [applyConflict([{ reason: 'FieldManagerConflict' }], 'two managers'), 409, 'two managers'],
  [
    invalid({ group: 'apps', kind: 'Deployment' }, 'x', [required]),
    422,
    'Deployment.apps "x" is invalid: a: Required value',
  ],
  [
    invalid({ group: '', kind: 'Pod' }, 'x', [required, wrong, wrong]),
    422,
    'Pod "x" is invalid: [a: Required value, b: Invalid value: 1: no]',
  ],
] as const;

test.each(rows)('%s', (error, status, message) => {
  expect([error.status, error.message]).toEqual([status, message]);
});

test('as a Status it says everything that clients branch on', () => {
  expect(invalid({ group: 'apps', kind: 'Deployment' }, 'x', [required]).toStatus()).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Deployment.apps "x" is invalid: a: Required value',
    reason: 'Invalid',
    details: {
      name: 'x',
      group: 'apps',
      kind: 'Deployment',
      causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'a' }],
    },
    code: 422,
  });
});

test('an expired list carries the token to go on with', () => {
  expect(expired('old', 'token').toStatus().metadata).toEqual({ continue: 'token' });
});
