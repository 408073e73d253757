import { expect, test } from 'vitest';
import { toOriginRequest } from './origin-request.ts';

test('the options of a class reach the API under its names and in its units', () => {
  const given = {
    noTlsVerify: true,
    http2Origin: true,
    caPool: 'ca.crt',
    connectTimeout: '5s',
    tlsTimeout: '1m',
    keepAliveTimeout: '90s',
    keepAliveConnections: 7,
    originServerName: 'origin.internal',
    httpHostHeader: 'app.internal',
    proxyAddress: '127.0.0.1',
    proxyPort: 1080,
    proxyType: 'socks',
    disableChunkedEncoding: true,
    bastionMode: false,
  } as const;
  expect(toOriginRequest(given)).toEqual({
    value: {
      noTLSVerify: true,
      http2Origin: true,
      caPool: '/etc/cloudflared/certs/ca.crt',
      connectTimeout: 5,
      tlsTimeout: 60,
      keepAliveTimeout: 90,
      keepAliveConnections: 7,
      originServerName: 'origin.internal',
      httpHostHeader: 'app.internal',
      proxyAddress: '127.0.0.1',
      proxyPort: 1080,
      proxyType: 'socks',
      disableChunkedEncoding: true,
      bastionMode: false,
    },
    problems: [],
  });
});

test('what the schema fills in is no wish, and a bad duration is named', () => {
  expect(toOriginRequest({ noTlsVerify: false, http2Origin: false, proxyType: '', tlsTimeout: 'soon' })).toEqual({
    value: {},
    problems: ['tlsTimeout: "soon" is no duration'],
  });
  expect(toOriginRequest(undefined)).toEqual({ value: {}, problems: [] });
});
