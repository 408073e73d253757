import { expect, test } from 'vitest';
import type { ClusterAuth, ClusterTls, Credentials } from '../kubeconfig/cluster-access.ts';
import { clientName, createAuthority } from './testing/test-server.ts';
import type { Handler, KeyPair } from './testing/test-server.ts';
import { connect, get, open, textOf } from './testing/test-transport.ts';
import type { Connected } from './testing/test-transport.ts';
import type { Transport } from './transport.ts';

/** Answers with the name in the client's certificate. */
const who: Handler = (request, response) => void response.end(clientName(request) ?? 'nobody');
const ask = async (transport: Transport): Promise<string> => textOf((await transport.request(get)).body);

const inFiles = { ca: { file: '/ca' }, cert: { file: '/cert' }, key: { file: '/key' } };

async function withFiles(tls: ClusterTls = inFiles): Promise<Connected & { use: (pair: KeyPair) => void }> {
  const connected = await connect({ access: { tls } });
  const { files, server, authority } = connected;
  server.answer(who);
  const use = (pair: KeyPair): void => files.write({ '/cert': pair.cert, '/key': pair.key });
  files.write({ '/ca': authority.ca });
  use(await authority.issue('one'));
  return { ...connected, use };
}

test('a server that the authority does not vouch for is not trusted', async () => {
  const stranger = await createAuthority();
  const { transport } = await connect({ access: { tls: { ca: { data: stranger.ca } } } });
  await expect(transport.request(get)).rejects.toThrow(/certificate/u);
});

test('without checks any server is trusted', async () => {
  const { transport } = await connect({ access: { tls: { insecure: true } } });
  expect((await transport.request(get)).status).toBe(200);
});

test('the name of the server is checked, and can be set', async () => {
  const ca = { data: (await connect()).authority.ca };
  const right = await connect({ access: { tls: { ca, serverName: 'api' } } });
  expect((await right.transport.request(get)).status).toBe(200);
  const wrong = await connect({ access: { tls: { ca, serverName: 'other' } } });
  await expect(wrong.transport.request(get)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

test('the client shows its certificate', async () => {
  const { transport } = await withFiles();
  expect(await ask(transport)).toBe('one');
});

test('new certificate files are used from the next check on, and what is under way on the old ones goes on', async () => {
  const { transport, server, authority, clock, use } = await withFiles();
  expect(await ask(transport)).toBe('one');
  const says: (() => void)[] = [];
  server.answer((request, response) => {
    says.push(() => void response.write(clientName(request)));
    says.at(-1)?.();
  });
  const watch = open(transport);
  await watch.heard(1);
  server.answer(who);
  use(await authority.issue('two'));
  expect(await ask(transport)).toBe('one');
  await clock.advance(10_000);
  expect(await ask(transport)).toBe('two');
  says[0]?.();
  await watch.heard(2);
  expect(watch.chunks).toEqual(['one', 'one']);
});

test('connections with an old certificate are closed', async () => {
  const { transport, server, authority, clock, use } = await withFiles();
  await Promise.all(Array.from({ length: 8 }, async () => ask(transport)));
  expect(server.openConnections()).toBe(8);
  use(await authority.issue('two'));
  await clock.advance(10_000);
  expect(await ask(transport)).toBe('two');
  await expect.poll(() => server.openConnections()).toBe(1);
});

test('a change of the authority alone is noticed too', async () => {
  const { transport, files, clock } = await withFiles();
  expect(await ask(transport)).toBe('one');
  const stranger = await createAuthority();
  files.write({ '/ca': stranger.ca });
  await clock.advance(10_000);
  await expect(transport.request(get)).rejects.toThrow(/certificate/u);
});

test('files that did not change keep their connections', async () => {
  const { transport, server, clock } = await withFiles();
  await ask(transport);
  await clock.advance(60_000);
  await ask(transport);
  await ask(transport);
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test('in the middle of a rotation the old certificate stays in use until the new one is whole', async () => {
  const { transport, authority, files, clock } = await withFiles();
  expect(await ask(transport)).toBe('one');
  const two = await authority.issue('two');
  files.write({ '/cert': two.cert });
  await clock.advance(10_000);
  expect(await ask(transport)).toBe('one');
  files.remove('/key');
  await clock.advance(10_000);
  expect(await ask(transport)).toBe('one');
  files.write({ '/key': two.key });
  await clock.advance(10_000);
  expect(await ask(transport)).toBe('two');
});

test('files that are missing or do not fit at the start are an error that names them', async () => {
  const { transport, authority, files, use } = await withFiles();
  files.remove('/key');
  await expect(transport.request(get)).rejects.toMatchObject({ code: 'kube/bad-tls', retry: { kind: 'backoff' } });
  await expect(transport.request(get)).rejects.toThrow('/key cannot be read: ENOENT');
  files.write({ '/key': (await authority.issue('other')).key });
  await expect(transport.request(get)).rejects.toThrow(
    'certificate authority, certificate and key from /ca, /cert, /key do not fit',
  );
  files.write({ '/ca': 'no PEM at all' });
  use(await authority.issue('one'));
  await expect(transport.request(get)).rejects.toThrow('the authority is no PEM');
  files.write({ '/ca': '' });
  await expect(transport.request(get)).rejects.toThrow('the authority is no PEM');
  files.write({ '/ca': authority.ca });
  expect(await ask(transport)).toBe('one');
});

/** Hands out the given credentials one after the other; a refusal moves on to the next. */
function queueOf(...all: readonly (Credentials | Error)[]): ClusterAuth & { readonly refusals: () => number } {
  let at = 0;
  return {
    credentials: async () => {
      const current = all[Math.min(at, all.length - 1)];
      if (current === undefined || current instanceof Error) throw current ?? new Error('none');
      return current;
    },
    refused: () => (at += 1),
    refusals: () => at,
  };
}

const token = (value: string): Credentials => ({ headers: { authorization: `Bearer ${value}` } });
const onlyNew: Handler = ({ headers }, response) => {
  const known = headers.authorization === 'Bearer new';
  response.writeHead(known ? 200 : 401).end(known ? 'welcome' : 'go away');
};

test('a certificate that comes with the credentials is shown, and a new one makes new connections', async () => {
  const { authority } = await connect();
  const auth = queueOf(
    { headers: {}, certificate: await authority.issue('one') },
    { headers: {}, certificate: await authority.issue('two') },
  );
  const { transport, server } = await connect({ access: { auth } });
  server.answer(who);
  expect([await ask(transport), await ask(transport)]).toEqual(['one', 'one']);
  auth.refused({ headers: {} });
  expect(await ask(transport)).toBe('two');
});

test('a request refused with 401 is sent once more with newer credentials', async () => {
  const auth = queueOf(token('old'), token('new'));
  const { transport, server } = await connect({ access: { auth } });
  server.answer(onlyNew);
  expect(await ask(transport)).toBe('welcome');
  expect(auth.refusals()).toBe(1);
});

test('a watch refused with 401 is opened once more, and the refusal is not shown', async () => {
  const { transport, server } = await connect({ access: { auth: queueOf(token('old'), token('new')) } });
  server.answer(onlyNew);
  const watch = open(transport);
  expect(await watch.ended).toBe('clean end');
  expect([watch.heads.map(({ status }) => status), watch.chunks]).toEqual([[200], ['welcome']]);
});

const hopeless: readonly (readonly [string, ClusterAuth & { readonly refusals: () => number }, number])[] = [
  ['there are no newer credentials', queueOf(token('old')), 1],
  ['the newer ones are refused too', queueOf(token('old'), token('older')), 2],
  ['newer ones cannot be had', queueOf(token('old'), new Error('the plugin is broken')), 1],
];

for (const [name, auth, sent] of hopeless) {
  test(`the refusal is the answer when ${name}`, async () => {
    const { transport, server } = await connect({ access: { auth } });
    server.answer(onlyNew);
    const answer = await transport.request(get);
    expect([answer.status, textOf(answer.body)]).toEqual([401, 'go away']);
    expect([auth.refusals(), server.requests()]).toEqual([1, sent]);
  });
}

test('credentials that cannot be had at all are the error', async () => {
  const { transport } = await connect({ access: { auth: queueOf(new Error('the plugin is broken')) } });
  await expect(transport.request(get)).rejects.toThrow('the plugin is broken');
});
