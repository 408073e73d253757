import { expect, test } from 'vitest';
import { systemClock } from '@tributary/runtime/clock';
import { createWebhookClient } from './create-webhook-client.ts';
import { goNetworkError } from './go-network-error.ts';
import { replyError } from './reply-error.ts';
import { serviceResolver } from './resolve-service.ts';
import { TransportError } from './webhook-transport.ts';
import type { WebhookPost } from './webhook-transport.ts';
import type { StoredObject } from '../registry/json.ts';

const network: readonly (readonly [code: string, said: string])[] = [
  ['ECONNREFUSED', 'dial tcp 10.0.0.1:443: connect: connection refused'],
  ['EHOSTUNREACH', 'dial tcp 10.0.0.1:443: connect: no route to host'],
  ['ENOTFOUND', 'dial tcp: lookup 10.0.0.1: no such host'],
  ['ECONNRESET', 'EOF'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls: failed to verify certificate: x509: certificate signed by unknown authority'],
  ['CERT_HAS_EXPIRED', 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'http: server gave HTTP response to HTTPS client'],
  ['ODD', 'as Node says'],
];
test.each(network)('%s is said in the words of Go', (code, said) => {
  expect(goNetworkError({ code, message: 'as Node says' }, { host: '10.0.0.1', port: 443 }, 'name')).toBe(said);
});

test.each([
  ['name', 'DNS:a.example, DNS:b.example', 'certificate is valid for a.example, b.example, not name'],
  ['name', '', 'certificate is not valid for any names, but wanted to match name'],
  ['10.0.0.1', 'IP Address:10.0.0.2', 'certificate is valid for 10.0.0.2, not 10.0.0.1'],
  ['10.0.0.1', 'DNS:a', "cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs"],
])('a certificate for another name than %s says for which: %j', (name, subjectaltname, said) => {
  const error = { code: 'ERR_TLS_CERT_ALTNAME_INVALID', cert: { subjectaltname } };
  const found = goNetworkError(error, { host: '10.0.0.1', port: 443 }, name);
  expect(found).toBe(`tls: failed to verify certificate: x509: ${said}`);
});

test.each([
  [200, undefined],
  [206, undefined],
  [401, 'the server has asked for the client to provide credentials'],
  [403, 'body'],
  [406, 'body'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [502, 'an error on the server ("body") has prevented the request from succeeding'],
  [302, 'the server responded with the status code 302 but did not return more information'],
])('a reply with status %d means %j', (status, said) => {
  expect(replyError({ status, headers: {}, body: ' body ' })).toBe(said);
});

const object = (more: object): StoredObject => more as StoredObject;
const service = object({ spec: { ports: [{ name: 'https', port: 443 }] } });
const slice = object({
  metadata: { labels: { 'kubernetes.io/service-name': 'svc' } },
  ports: [{ name: 'https', port: 9443 }],
  endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: false } }, { addresses: ['10.0.0.2'] }],
});

test('a Service is found by its first ready endpoint', () => {
  const resolve = serviceResolver({ get: () => service, list: () => [slice] });
  expect(resolve('ns', 'svc', 443)).toEqual({ host: '10.0.0.2', port: 9443 });
  expect(() => resolve('ns', 'svc', 80)).toThrow('no service port 80 found for service "svc"');
  expect(() => serviceResolver({ get: () => service, list: () => [] })('ns', 'svc', 443)).toThrow(
    'no endpoints available for service "svc"',
  );
  expect(() => serviceResolver({ get: () => undefined, list: () => [] })('ns', 'svc', 443)).toThrow(
    'service "svc" not found',
  );
});

test('a post names its Service, its path and its timeout, and connects to the endpoint', async () => {
  const posts: WebhookPost[] = [];
  const client = createWebhookClient({
    transport: async (post) => {
      posts.push(post);
      throw new TransportError('no');
    },
    resolveService: () => ({ host: '10.0.0.2', port: 9443 }),
    clock: systemClock,
  });
  const call = { timeoutSeconds: 3, userAgent: 'me', reviews: [] };
  await expect(client.post({ service: { name: 'svc', namespace: 'ns', path: '/x' } }, {}, call)).rejects.toThrow(
    'Post "https://svc.ns.svc:443/x?timeout=3s": no',
  );
  expect(posts[0]).toMatchObject({ connectTo: { host: '10.0.0.2', port: 9443 }, ca: undefined, userAgent: 'me' });
});
