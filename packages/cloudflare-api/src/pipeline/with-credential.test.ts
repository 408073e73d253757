import { expect, test } from 'vitest';
import { testCall, testHeaders } from '../testing/test-call.ts';
import type { Call } from './call.ts';
import { bearerHeader, withCredential } from './with-credential.ts';

const identity = { credential: { kind: 'token', token: 'ours' }, userAgent: 'us', apiVersion: '1' } as const;

async function sentHeaders(headers: Call['headers']): Promise<Call['headers']> {
  let sent: Call['headers'] = {};
  const send = withCredential(identity)(async (call) => {
    sent = call.headers;
    return { status: 200, headers: testHeaders(), text: '', json: undefined };
  });
  await send(testCall('POST', '/pages/assets/upload', { headers }));
  return sent;
}

test('who calls is said by the credential, whatever else is said', async () => {
  const given = { authorization: 'Bearer other', 'x-auth-key': 'k', 'user-agent': 'sdk', accept: 'a' };
  const sent = { accept: 'a', authorization: 'Bearer ours', 'user-agent': 'us', 'api-version': '1' };
  expect(await sentHeaders(given)).toEqual(sent);
});

test('a permission that was handed out for one purpose stands in for the credential', async () => {
  const sent = { authorization: 'Bearer jwt', 'user-agent': 'us', 'api-version': '1' };
  expect(await sentHeaders({ [bearerHeader]: 'jwt' })).toEqual(sent);
});
