import { createSigningRequest } from '@tributary/runtime/signing-request';
import { makeKey } from '../../targets/origin-ca-certificate/key-pair.ts';
import type { Fixture } from './fixture.ts';

const api = 'apiVersion: networking.cloudflare-operator.io/v1alpha2';
const buckets = ['photos', 'videos']
  .map((name) => `{ ${api}, kind: R2Bucket, metadata: { name: ${name}, namespace: default }, spec: {} }`)
  .join('\n---\n');
const expression = ['http.host eq "a.example.net"', 'http.host eq "b.example.net"'] as const;
const redirect = { name: 'r', expression: expression[0], target: { url: 'https://example.net/' } };
const header = { name: 'X-A', operation: 'set', value: '1' };
const zone = 'example.net';
const ownKeys = [makeKey({ algorithm: 'ECDSA', size: 256 }), makeKey({ algorithm: 'ECDSA', size: 256 })] as const;

export const zoneFixtures: Readonly<Record<string, Fixture>> = {
  CloudflareCredentials: {
    bases: [{ accountId: '$account', secretRef: { name: 'token-a' } }],
    values: {
      accountId: ['$account', '$account'],
      'secretRef.name': ['token-a', 'token-b'],
      'secretRef.namespace': ['cloudflare-operator-system', 'default'],
      'secretRef.apiTokenKey': ['CLOUDFLARE_API_TOKEN', 'OTHER_API_TOKEN'],
      authType: ['apiToken', 'apiToken'],
      defaultDomain: ['example.com', 'example.net'],
    },
  },
  CloudflareDomain: {
    keeps: true,
    bases: [{ domain: 'example.net' }],
    values: { domain: ['example.net', 'example.net'], zoneId: ['$zone:example.net', '$zone:example.net'] },
  },
  ZoneRuleset: {
    // A rule keeps the name that it was given, so that its id and statistics stay.
    keeps: ['rules[].ref'],
    refused: ['rules[].actionParameters.cache.browserTtl.statusCodeTtl'],
    bases: [
      { zone, phase: 'http_request_firewall_custom', rules: [{ expression: expression[0], action: 'log' }] },
      {
        zone,
        phase: 'http_request_dynamic_redirect',
        rules: [
          {
            expression: expression[0],
            action: 'redirect',
            actionParameters: { redirect: { targetUrl: { value: 'https://example.net/x' }, statusCode: 301 } },
          },
        ],
      },
      {
        zone,
        phase: 'http_request_transform',
        rules: [{ expression: expression[0], action: 'rewrite', actionParameters: { uri: { path: { value: '/x' } } } }],
      },
      {
        zone,
        phase: 'http_request_late_transform',
        rules: [
          {
            expression: expression[0],
            action: 'rewrite',
            actionParameters: { headers: { 'X-A': { operation: 'set', value: 'a' } } },
          },
        ],
      },
      {
        zone,
        phase: 'http_request_origin',
        rules: [
          {
            expression: expression[0],
            action: 'route',
            actionParameters: { origin: { host: 'a.example.net', port: 80 } },
          },
        ],
      },
      {
        zone,
        phase: 'http_request_cache_settings',
        rules: [
          { expression: expression[0], action: 'set_cache_settings', actionParameters: { cache: { cache: true } } },
        ],
      },
      {
        zone,
        phase: 'http_request_cache_settings',
        rules: [
          {
            expression: expression[0],
            action: 'set_cache_settings',
            actionParameters: {
              cache: {
                cache: true,
                edgeTtl: { mode: 'respect_origin', statusCodeTtl: [{ statusCodeValue: 404, value: 60 }] },
              },
            },
          },
        ],
      },
      {
        zone,
        phase: 'http_ratelimit',
        rules: [
          {
            expression: expression[0],
            action: 'block',
            rateLimit: {
              characteristics: ['cf.colo.id', 'ip.src'],
              period: 60,
              requestsPerPeriod: 10,
              mitigationTimeout: 60,
            },
          },
        ],
      },
      {
        zone,
        phase: 'http_custom_errors',
        rules: [
          {
            expression: expression[0],
            action: 'serve_error',
            actionParameters: { response: { statusCode: 500, contentType: 'text/plain', content: 'x' } },
          },
        ],
      },
      {
        zone,
        phase: 'http_response_compression',
        rules: [
          {
            expression: expression[0],
            action: 'compress_response',
            actionParameters: { algorithms: [{ name: 'gzip' }] },
          },
        ],
      },
    ],
    values: {
      zone: ['example.net', 'example.net'],
      phase: ['http_request_firewall_custom', 'http_request_firewall_custom'],
      'rules[].expression': [...expression],
      'rules[].action': ['block', 'log'],
      'rules[].rateLimit.period': [60, 10],
      'rules[].rateLimit.characteristics': [['cf.colo.id', 'ip.src'], ['cf.colo.id']],
      'rules[].rateLimit.countingExpression': [...expression],
      'rules[].actionParameters.redirect.statusCode': [301, 302],
    },
  },
  TransformRule: {
    bases: [
      {
        zone,
        type: 'url_rewrite',
        rules: [{ name: 'r', expression: expression[0], urlRewrite: { path: { static: '/x' } } }],
      },
      {
        zone,
        type: 'url_rewrite',
        rules: [
          { name: 'r', expression: expression[0], urlRewrite: { path: { expression: 'http.request.uri.path' } } },
        ],
      },
      ...[header, { name: 'X-A', operation: 'set', expression: 'http.request.uri.path' }].map((one) => ({
        zone,
        type: 'request_header',
        rules: [{ name: 'r', expression: expression[0], headers: [one] }],
      })),
    ],
    values: {
      zone: ['example.net', 'example.net'],
      type: ['url_rewrite', 'url_rewrite'],
      'rules[].expression': [...expression],
      'rules[].urlRewrite.path.static': ['/a', '/b'],
      'rules[].urlRewrite.path.expression': ['http.request.uri.path', 'lower(http.request.uri.path)'],
      'rules[].urlRewrite.query.expression': ['http.request.uri.query', 'lower(http.request.uri.query)'],
      'rules[].headers[].name': ['X-A', 'X-B'],
      'rules[].headers[].operation': ['set', 'set'],
    },
  },
  RedirectRule: {
    bases: [
      { zone, rules: [redirect] },
      {
        zone,
        rules: [{ ...redirect, target: { expression: 'concat("https://a.example.net", http.request.uri.path)' } }],
      },
      {
        zone,
        wildcardRules: [{ name: 'w', sourceUrl: 'https://a.example.net/*', targetUrl: 'https://b.example.net/' }],
      },
    ],
    values: {
      zone: ['example.net', 'example.net'],
      'rules[].expression': [...expression],
      'rules[].target.url': ['https://a.example.net/', 'https://b.example.net/'],
      'rules[].target.expression': [
        'concat("https://a", http.request.uri.path)',
        'concat("https://b", http.request.uri.path)',
      ],
      '*sourceUrl': ['https://c.example.net/*', 'https://d.example.net/*'],
      '*targetUrl': ['https://e.example.net/', 'https://f.example.net/'],
    },
  },
  R2Bucket: {
    once: ['name', 'locationHint', 'jurisdiction'],
    bases: [
      {},
      { lifecycle: [{ id: 'x', storageClassTransitions: [{ days: 30, storageClass: 'InfrequentAccess' }] }] },
    ],
    values: {
      name: ['first-bucket', 'second-bucket'],
      '*allowedMethods': [['GET'], ['GET', 'PUT']],
      '*allowedOrigins': [['https://a.example.com'], ['https://b.example.com']],
      '*expiration.days': [3, 4],
    },
  },
  R2BucketDomain: {
    needs: [
      buckets,
      ...['eu', 'fedramp'].map(
        (where) =>
          `{ ${api}, kind: R2Bucket, metadata: { name: photos-${where}, namespace: default }, spec: { name: photos, jurisdiction: ${where} } }`,
      ),
    ].join('\n---\n'),
    bases: [{ bucketName: 'photos', domain: 'cdn.example.com' }],
    values: {
      jurisdiction: ['eu', 'fedramp'],
      bucketName: ['photos', 'videos'],
      domain: ['a.example.com', 'b.example.com'],
      zoneId: ['$zone:example.com', '$zone:example.com'],
    },
  },
  R2BucketNotification: {
    needs: buckets,
    remote: [
      ['/queues', { queue_name: 'jobs' }],
      ['/queues', { queue_name: 'more-jobs' }],
    ],
    bases: [{ bucketName: 'photos', queueName: 'jobs', rules: [{ eventTypes: ['object-create'] }] }],
    values: {
      bucketName: ['photos', 'videos'],
      queueName: ['jobs', 'more-jobs'],
      'rules[].eventTypes': [['object-create'], ['object-delete']],
    },
  },
  OriginCACertificate: {
    needs: ['own', 'own-too']
      .map((name, index) => {
        const stringData = { 'tls.key': ownKeys[index], other: ownKeys[index] };
        return JSON.stringify({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name, namespace: 'default' },
          stringData,
        });
      })
      .join('\n---\n'),
    bases: [
      { hostnames: ['www.example.com'], privateKey: { algorithm: 'ECDSA' } },
      { hostnames: ['www.example.com'], requestType: 'origin-ecc', privateKey: { secretRef: { name: 'own' } } },
      {
        hostnames: ['www.example.com'],
        privateKey: { algorithm: 'ECDSA' },
        secretSync: { secretName: 'plain', certManagerCompatible: false },
      },
    ],
    values: {
      hostnames: [['a.example.com'], ['b.example.com', '*.example.com']],
      'privateKey.size': [384, 256],
      'privateKey.algorithm': ['ECDSA', 'ECDSA'],
      'secretSync.enabled': [true, true],
      'secretSync.certManagerCompatible': [true, true],
      'secretSync.secretName': ['subject', 'subject'],
      'secretSync.namespace': ['default', 'default'],
      'privateKey.secretRef.name': ['own', 'own-too'],
      'privateKey.secretRef.namespace': ['default', 'default'],
      'privateKey.secretRef.key': ['tls.key', 'other'],
      csr: ['a', 'b'].map((commonName) => createSigningRequest({ commonName, hosts: [] }, ownKeys[0])) as [
        string,
        string,
      ],
    },
  },
  DomainRegistration: {
    keeps: true,
    refused: ['registrantContact'],
    remote: [['/registrar/registrations/example.com', { auto_renew: true }, 'PATCH']],
    bases: [{ domainName: 'example.com' }],
    values: {
      domainName: ['example.com', 'example.com'],
      'configuration.nameServers': [['a.example.org'], ['b.example.org']],
    },
  },
};
