import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../registry/json.ts';
import { decodeEnvelope } from './decode-envelope.ts';
import { formatGoDuration } from './go-duration.ts';
import { readMessageTables } from './message-tables.ts';

type Body = { readonly command: string; readonly hex: string; readonly object: JsonObject };

const { bodies } = JSON.parse(readFileSync(new URL('golden/kubectl-bodies.json', import.meta.url), 'utf8')) as {
  readonly bodies: readonly Body[];
};

describe('what kubectl sends is what it prints as JSON', () => {
  for (const { command, hex, object } of bodies) {
    test(command, () => expect(decodeEnvelope(Buffer.from(hex, 'hex'))).toEqual(object));
  }
});

/** Just enough of an encoder to write messages down by hand. */
function field(number: number, value: string | number | Uint8Array): Uint8Array {
  if (typeof value === 'number')
    return Uint8Array.from([(number << 3) | 0, ...varint(BigInt.asUintN(64, BigInt(value)))]);
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Uint8Array.from([...varint(BigInt((number << 3) | 2)), ...varint(BigInt(bytes.length)), ...bytes]);
}

function varint(value: bigint): readonly number[] {
  return value < 0x80n ? [Number(value)] : [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)];
}

const message = (...fields: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(fields));

function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const type = message(field(1, apiVersion), field(2, kind));
  return message(Buffer.from('k8s\0'), field(1, type), field(2, raw), field(3, ''), field(4, ''));
}

describe('single messages', () => {
  test('options belong to every group', () => {
    const preconditions = field(2, message(field(1, 'the-uid')));
    const options = message(field(1, 0), preconditions, field(4, 'Foreground'));
    expect(decodeEnvelope(envelope('apps/v1', 'DeleteOptions', options))).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'apps/v1',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'the-uid' },
      propagationPolicy: 'Foreground',
    });
  });

  test('numbers may be negative, times and micro times have their own forms', () => {
    const holder = message(field(1, 'me'), field(2, -1), field(3, message(field(1, 1767225600), field(2, 120_000))));
    const metadata = message(field(1, 'l'), field(8, message(field(1, 1767225600))));
    expect(
      decodeEnvelope(envelope('coordination.k8s.io/v1', 'Lease', message(field(1, metadata), field(2, holder)))),
    ).toEqual({
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name: 'l', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { holderIdentity: 'me', leaseDurationSeconds: -1, acquireTime: '2026-01-01T00:00:00.000120Z' },
    });
  });

  test('maps, bytes, quantities and numbers-or-texts', () => {
    const secret = message(field(2, message(field(1, 'a'), field(2, Buffer.from('hello')))), field(3, 'Opaque'));
    expect(decodeEnvelope(envelope('v1', 'Secret', secret))).toMatchObject({ data: { a: 'aGVsbG8=' }, type: 'Opaque' });
    const port = message(field(3, 80), field(4, message(field(1, 1), field(3, 'http'))));
    const spec = message(field(1, port));
    expect(decodeEnvelope(envelope('v1', 'Service', message(field(2, spec))))).toMatchObject({
      spec: { ports: [{ port: 80, targetPort: 'http' }] },
    });
    const hard = message(field(1, 'cpu'), field(2, message(field(1, '500m'))));
    expect(decodeEnvelope(envelope('v1', 'ResourceQuota', message(field(2, message(field(1, hard))))))).toMatchObject({
      spec: { hard: { cpu: '500m' } },
    });
  });

  test('lists of numbers come packed or one by one', () => {
    const alone = message(field(4, 1), field(4, 2));
    const packed = message(field(4, Uint8Array.from([1, 2])));
    for (const groups of [alone, packed]) {
      const spec = message(field(14, groups));
      expect(decodeEnvelope(envelope('v1', 'Pod', message(field(2, spec))))).toMatchObject({
        spec: { securityContext: { supplementalGroups: [1, 2] } },
      });
    }
  });

  test('a field that nobody knows is skipped', () => {
    const known = field(1, message(field(1, 'n')));
    expect(decodeEnvelope(envelope('v1', 'ConfigMap', message(known, field(999, 'x'), field(998, 7))))).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'n' },
    });
  });
});

describe('refusals', () => {
  test('bytes that are no envelope', () => {
    expect(() => decodeEnvelope(Buffer.from('{"kind":"Pod"}'))).toThrow(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  });

  test('a kind that does not exist', () => {
    expect(() => decodeEnvelope(envelope('v1', 'Nothing', new Uint8Array()))).toThrow(
      'no kind "Nothing" is registered for version "v1"',
    );
  });

  test('a message that ends too early', () => {
    const cut = envelope('v1', 'ConfigMap', field(1, message(field(1, 'name')))).subarray(0, -10);
    expect(() => decodeEnvelope(cut)).toThrow('unexpected EOF');
  });
});

describe('durations as Go writes them', () => {
  for (const [nanoseconds, text] of [
    [0, '0s'],
    [1, '1ns'],
    [1500, '1.5µs'],
    [2_000_000, '2ms'],
    [1_500_000_000, '1.5s'],
    [90_000_000_000, '1m30s'],
    [3_600_000_000_000, '1h0m0s'],
    [-60_000_000_000, '-1m0s'],
  ] as const) {
    test(text, () => expect(formatGoDuration(nanoseconds)).toBe(text));
  }
});

test('the tables know the kinds of every stable group', () => {
  const tables = readMessageTables();
  for (const [apiVersion, kind] of [
    ['v1', 'Pod'],
    ['apps/v1', 'StatefulSet'],
    ['batch/v1', 'CronJob'],
    ['networking.k8s.io/v1', 'Ingress'],
    ['autoscaling/v2', 'HorizontalPodAutoscaler'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    ['apiregistration.k8s.io/v1', 'APIService'],
    ['certificates.k8s.io/v1', 'CertificateSigningRequest'],
    ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'],
  ] as const) {
    expect(tables.find(apiVersion, kind)?.name).toBe(kind);
  }
  expect(tables.find('v1', 'Deployment')).toBeUndefined();
});
