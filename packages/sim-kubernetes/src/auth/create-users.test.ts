import { request } from 'node:https';
import { issueCertificate } from '@tributary/runtime/certificates';
import type { CertifiedKey } from '@tributary/runtime/certificates';
import { parseYamlDocuments } from '@tributary/runtime/yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../start-cluster.ts';
import type { Cluster } from '../start-cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => cluster.stop());

type Proof = { readonly certificate?: CertifiedKey; readonly token?: string };

async function whoAmI({ certificate, token }: Proof): Promise<unknown> {
  const url = `${cluster.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const tls = { ca: cluster.ca, ...(certificate && { cert: certificate.certificate, key: certificate.key }) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent: false, ...tls }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const body = JSON.parse(text) as { code?: number; status: { userInfo: unknown } };
        resolve(body.code ?? body.status.userInfo);
      });
    });
    outgoing.on('error', reject);
    outgoing.end('{}');
  });
}

function certificateIn(kubeconfig: string): CertifiedKey {
  const [config] = parseYamlDocuments(kubeconfig) as readonly {
    readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
  }[];
  const user = config?.users[0]?.user ?? {};
  const read = (key: string): string => Buffer.from(user[key] ?? '', 'base64').toString();
  return { certificate: read('client-certificate-data'), key: read('client-key-data') };
}

const eve = {
  username: 'eve',
  groups: ['dev', 'ops', 'system:authenticated'],
  extra: {
    'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/) as string],
  },
};

test('a user who is added comes in by the certificate of the kubeconfig', async () => {
  const { kubeconfig } = cluster.addUser({ name: 'eve', groups: ['dev', 'ops'] });
  expect(await whoAmI({ certificate: certificateIn(kubeconfig) })).toEqual(eve);
});

test('and by a token, also without a socket', async () => {
  const { token } = cluster.addUser({ name: 'eve', groups: ['dev'] });
  const known = { username: 'eve', uid: 'eve', groups: ['dev', 'system:authenticated'] };
  expect(await whoAmI({ token })).toEqual(known);
  const transport = cluster.transport({ headers: { authorization: `Bearer ${token}` } });
  const answer = await transport.request({ method: 'GET', path: '/api/v1/pods' });
  expect(answer.status).toBe(403);
  expect(new TextDecoder().decode(answer.body)).toContain('cannot list resource');
});

test('a certificate counts before a token, even before one that nobody has', async () => {
  const certificate = certificateIn(cluster.addUser({ name: 'eve', groups: ['dev', 'ops'] }).kubeconfig);
  for (const token of [cluster.token, 'nobody']) expect(await whoAmI({ certificate, token })).toEqual(eve);
});

test('a certificate of another authority is worth nothing', async () => {
  const other = issueCertificate({ commonName: 'tributary-ca', usage: 'authority', nowMs: Date.now() });
  const wanted = { commonName: 'eve', organizations: ['system:masters'], nowMs: Date.now() };
  const forged = issueCertificate({ ...wanted, usage: 'client' }, { ...other, name: 'tributary-ca' });
  expect(await whoAmI({ certificate: forged })).toBe(401);
  expect(await whoAmI({ certificate: forged, token: cluster.token })).toMatchObject({ username: 'admin' });
});

test('a cluster that does not listen has tokens for its users, and no kubeconfig', async () => {
  const silent = await startCluster({ listen: false });
  const { token, kubeconfig } = silent.addUser({ name: 'eve' });
  expect(kubeconfig).toBe('');
  expect(token).not.toBe(silent.addUser({ name: 'eve' }).token);
  await silent.stop();
});
