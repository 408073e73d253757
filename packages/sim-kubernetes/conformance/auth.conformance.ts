import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from './kit/account.ts';
import type { Account } from './kit/account.ts';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { createNamespace, eventually } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('auth');
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
let namespace = '';
let account: Account;
beforeAll(async () => {
  namespace = await createNamespace(api);
  account = await createAccount(api, namespace);
});
const names = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  ...more,
  [account.name]: '<account>',
  [namespace]: '<namespace>',
});
const withoutIds = (answer: Answer): Loose =>
  JSON.parse(
    JSON.stringify(maskedAnswer(answer, names({ [account.token]: '<token>' }))).replaceAll(/eyJ[\w.-]+/g, '<token>'),
  );

describe('a request without credentials', () => {
  const anonymous: readonly (readonly [string, string, string])[] = [
    ['list', 'GET', '/api/v1/namespaces/default/configmaps'],
    ['get', 'GET', '/api/v1/namespaces/default/configmaps/x'],
    ['list of one name', 'GET', '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Dabc'],
    ['watch', 'GET', '/api/v1/pods?watch=true'],
    ['watch in the path', 'GET', '/api/v1/watch/pods'],
    ['a namespace', 'GET', '/api/v1/namespaces/default'],
    ['the status of a namespace', 'PUT', '/api/v1/namespaces/default/status'],
    ['deletecollection', 'DELETE', '/apis/apps/v1/namespaces/default/deployments'],
    ['a subresource', 'PUT', '/apis/apps/v1/namespaces/default/deployments/x/status'],
    ['a resource that is not there', 'GET', '/apis/nothing.example.com/v1/things/a/b/c'],
    ['discovery', 'GET', '/api'],
    ['a path that is not there', 'GET', '/<x>&'],
    ['a method without a verb', 'OPTIONS', '/api/v1/pods'],
  ];
  test.each(anonymous)('is refused: %s', async (name, method, path) => {
    const answer = await api.send({ method, path, headers: { authorization: '' } });
    expect(answer.status).toBe(403);
    expect(maskedAnswer(answer)).toEqual(golden(`anonymous ${name}`));
  });

  test.each(['/healthz', '/livez', '/readyz', '/version'])('sees %s', async (path) => {
    expect((await api.get(path, {}, { authorization: '' })).status).toBe(200);
  });

  test.each(['Basic abc', 'Bearer', 'Bearer ', 'bearer  x'])('is one with the header %j too', async (authorization) => {
    expect(maskedAnswer(await api.get('/api', {}, { authorization }))).toEqual(golden(`anonymous by ${authorization}`));
  });

  test('with a token that nobody has is not even anonymous', async () => {
    const answer = await api.get('/version', {}, { authorization: 'Bearer nobody' });
    expect(answer.status).toBe(401);
    expect(maskedAnswer(answer)).toEqual(golden('a token that nobody has'));
  });
});

describe('who am I', () => {
  test('the administrator', async () => {
    const answer = await api.post(whoAmI, {});
    expect(answer.body.status.userInfo).toMatchObject({
      username: 'admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });

  test('an account', async () => {
    const answer = await account.send({ method: 'POST', path: whoAmI, body: {} });
    expect(answer.status).toBe(201);
    expect(withoutIds(answer)).toEqual(golden('who am I as an account'));
  });

  const broken: readonly (readonly [string, string, string, unknown])[] = [
    ['an empty body', 'POST', whoAmI, ''],
    ['GET', 'GET', whoAmI, undefined],
    ['PUT', 'PUT', `${whoAmI}/x`, {}],
  ];
  test.each(broken)('%s', async (name, method, path, body) => {
    expect(maskedAnswer(await api.send({ method, path, body }))).toEqual(golden(`who am I: ${name}`));
  });
});

describe('a review of a token', () => {
  const review = (spec: Loose): Promise<Answer> => api.post(reviews, { spec });
  const tokenOf = async (spec: Loose): Promise<string> =>
    (await api.post(`/api/v1/namespaces/${namespace}/serviceaccounts/${account.name}/token`, { spec })).body.status
      .token;

  test('tells whose it is', async () => {
    expect(withoutIds(await review({ token: account.token }))).toEqual(golden('review of a token'));
  });

  test('needs a token', async () => {
    expect(withoutIds(await review({}))).toEqual(golden('review of no token'));
  });

  const wrong: readonly (readonly [string, (token: string) => string])[] = [
    ['no token at all', () => 'nonsense'],
    ['a token of another issuer', (token) => withClaims(token, { iss: 'other' })],
    ['a token with other claims', (token) => withClaims(token, { iss: 'https://kubernetes.default.svc', sub: 'x' })],
    ['a token with another signature', (token) => `${token}x`],
  ];
  test.each(wrong)('refuses %s', async (name, change) => {
    const { body } = await review({ token: change(account.token) });
    expect(body.status).toEqual(golden(`review of ${name}`));
  });

  test('asks for whom it is meant', async () => {
    const token = await tokenOf({ audiences: ['a', 'b'] });
    expect((await api.get('/version', {}, { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await review({ token })).body.status).toEqual(golden('review for the server'));
    const { body } = await review({ token, audiences: ['b', 'c', 'a'] });
    expect(body.status).toMatchObject({ authenticated: true, audiences: ['b', 'a'] });
  });

  test('is for those who may', async () => {
    const answer = await account.send({ method: 'POST', path: reviews, body: { spec: { token: 'x' } } });
    expect(withoutIds(answer)).toEqual(golden('review by an account'));
  });

  test('tells the pod and the node of a token that is bound to one', async () => {
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const { body: pod } = await api.post(pods, {
      metadata: { name: 'bound' },
      spec: { serviceAccountName: account.name, nodeName: 'somewhere', containers: [{ name: 'a', image: 'x' }] },
    });
    const token = await tokenOf({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'bound' } });
    const { body } = await review({ token });
    const extra = 'authentication.kubernetes.io';
    expect(body.status.user.extra).toMatchObject({
      [`${extra}/node-name`]: ['somewhere'],
      [`${extra}/pod-name`]: ['bound'],
      [`${extra}/pod-uid`]: [pod.metadata.uid],
    });
    await api.del(`${pods}/bound`, { gracePeriodSeconds: 0 });
  });

  test('refuses the token when the account or what it is bound to is gone', async () => {
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await api.post(secrets, { metadata: { name: 'bound' } });
    const token = await tokenOf({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'bound' } });
    await api.del(`${secrets}/bound`);
    const refused = ({ body }: Answer): boolean => body.status.error !== undefined;
    expect((await eventually(() => review({ token }), refused)).body.status).toEqual(golden('review after the secret'));
    const other = await createAccount(api, namespace);
    await api.del(`/api/v1/namespaces/${namespace}/serviceaccounts/${other.name}`);
    const { body } = await eventually(() => review({ token: other.token }), refused);
    expect(body.status.error.replaceAll(other.name, '<other>')).toEqual(golden('review after the account'));
    const late = await eventually(
      () => other.send({ method: 'GET', path: '/version' }),
      ({ status }) => status === 401,
    );
    expect(late.status).toBe(401);
  });

  const bodies: readonly (readonly [string, unknown, Loose?])[] = [
    ['nothing', ''],
    ['an empty object', '{}'],
    ['a spec that is none', { spec: 'x' }],
    ['audiences that are no list', { spec: { audiences: 'x' } }],
    ['a time that is no number', { spec: { expirationSeconds: 'x' } }],
    ['another kind', { kind: 'Pod', apiVersion: 'v1' }],
    ['a field that is not known', { spec: { x: 1 } }, { fieldValidation: 'Strict' }],
    ['a reference to nothing', { spec: { boundObjectRef: {} } }],
    ['another name', { metadata: { name: 'x' }, spec: {} }],
    ['another namespace', { metadata: { namespace: 'x' }, spec: { expirationSeconds: 5 } }],
  ];
  test.each(bodies)('a request for a token with %s', async (name, body, query) => {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account.name}/token`;
    const { status, ...answer } = withoutIds(await api.post(path, body, query));
    const shown = status === 201 ? answer.body.spec : answer.body;
    expect([status, shown]).toEqual(golden(`token with ${name}`));
  });

  test('a request for a token may name the account by its uid', async () => {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account.name}/token`;
    const answer = await api.post(path, { metadata: { uid: 'wrong' }, spec: {} });
    expect(withoutIds(answer)).toEqual(golden('token for another uid'));
  });
});

describe('a token in a Secret', () => {
  const secrets = (): string => `/api/v1/namespaces/${namespace}/secrets`;
  const asking = (name: string, of: string): Loose => ({
    metadata: { name, annotations: { 'kubernetes.io/service-account.name': of } },
    type: 'kubernetes.io/service-account-token',
  });
  const review = (token: string): Promise<Answer> => api.post(reviews, { spec: { token } });

  test('is made for the account and counts until the Secret is gone', async () => {
    await api.post(secrets(), asking('kept', account.name));
    const { body } = await eventually(
      () => api.get(`${secrets()}/kept`),
      (found) => found.body.data?.token !== undefined,
    );
    expect(Object.keys(body.data).toSorted()).toEqual(['ca.crt', 'namespace', 'token']);
    const token = Buffer.from(body.data.token, 'base64').toString();
    const claims: Loose = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(maskedAnswer({ status: 0, headers: {}, body: claims, text: '', bytes: Buffer.of() }, names())).toEqual(
      golden('claims of a token in a Secret'),
    );
    expect(withoutIds(await review(token))).toEqual(golden('review of a token in a Secret'));
    await api.del(`${secrets()}/kept`);
    const refused = await eventually(
      () => review(token),
      (answer) => answer.body.status.error !== undefined,
    );
    expect(refused.body.status).toEqual(golden('review after the Secret that held it'));
  });

  test('for an account that is not there, or no longer, is taken away', async () => {
    const gone = ({ status }: Answer): boolean => status === 404;
    await api.post(secrets(), asking('vain', 'nobody'));
    expect((await eventually(() => api.get(`${secrets()}/vain`), gone)).status).toBe(404);
    const other = await createAccount(api, namespace);
    await api.post(secrets(), asking('left', other.name));
    await eventually(
      () => api.get(`${secrets()}/left`),
      (found) => found.body.data?.token !== undefined,
    );
    await api.del(`/api/v1/namespaces/${namespace}/serviceaccounts/${other.name}`);
    expect((await eventually(() => api.get(`${secrets()}/left`), gone)).status).toBe(404);
  });
});

test('the keys of tokens are public to accounts', async () => {
  const { status, body } = await account.send({ method: 'GET', path: '/.well-known/openid-configuration' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ issuer: 'https://kubernetes.default.svc', response_types_supported: ['id_token'] });
  const accept = { accept: '*/*' };
  const keys = await account.send({ method: 'GET', path: '/openid/v1/jwks', headers: accept });
  expect(keys.headers['content-type']).toBe('application/jwk-set+json');
  const head: Loose = JSON.parse(Buffer.from(account.token.split('.')[0] ?? '', 'base64url').toString());
  expect(keys.body.keys.map(({ kid }: Loose) => kid)).toContain(head.kid);
  expect((await api.get('/openid/v1/jwks', {}, { authorization: '' })).status).toBe(403);
});

function withClaims(token: string, claims: Loose): string {
  const [head, , signature] = token.split('.');
  return `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
}
