import { expect, test } from 'vitest';
import { noAnswer, toVpcError } from '../provider/classify.ts';
import type { VpcErrorClass } from '../provider/vpc-error.ts';
import { createTokenLog } from './token-log.ts';

const error = (errorClass: Exclude<VpcErrorClass, 'done'>): unknown =>
  errorClass === 'unknown'
    ? noAnswer('AllocateEipAddress', new Error('reset'))
    : toVpcError('AllocateEipAddress', { status: 400, body: { Code: 'X' } }, errorClass);

const rows: readonly {
  readonly name: string;
  readonly made: boolean;
  readonly fails: readonly Exclude<VpcErrorClass, 'done'>[];
  readonly inDoubt: boolean | undefined;
}[] = [
  { name: 'refused at once', made: true, fails: ['terminal'], inDoubt: false },
  { name: 'throttled, then refused', made: true, fails: ['throttled', 'terminal'], inDoubt: false },
  { name: 'unanswered, then refused', made: true, fails: ['unknown', 'terminal'], inDoubt: true },
  { name: 'of another process, refused', made: false, fails: ['terminal'], inDoubt: true },
  { name: 'used for something else', made: true, fails: ['mismatch'], inDoubt: true },
  { name: 'unanswered only', made: true, fails: ['unknown'], inDoubt: undefined },
];

test.each(rows)('a token that was $name: in doubt $inDoubt', ({ made, fails, inDoubt }) => {
  const log = createTokenLog();
  if (made) log.made('t');
  for (const one of fails) log.failed('u', 't', error(one));
  expect(log.refused('u')?.inDoubt).toBe(inDoubt);
  log.forget('u');
  expect(log.refused('u')).toBe(undefined);
});

test.each(['SignatureNonceUsed', 'LastTokenProcessing'])('%s says nothing about the token: it is kept', (Code) => {
  const log = createTokenLog();
  log.made('t');
  log.failed('u', 't', toVpcError('AllocateEipAddress', { status: 400, body: { Code } }, 'busy'));
  expect(log.refused('u')).toBe(undefined);
  log.failed('u', 't', error('terminal'));
  expect(log.refused('u')?.inDoubt).toBe(true);
});
