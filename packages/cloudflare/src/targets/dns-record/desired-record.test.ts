import { expect, test } from 'vitest';
import { sourceOf } from '../../testing/sim-call.ts';
import type { DnsRecordConfig } from './contract.ts';
import { aggregateRecord } from './desired-record.ts';

const owner = { kind: 'DNSRecord', namespace: 'default', name: 'web' };
const key = { accountId: 'a', zoneId: 'z', owner: 'DNSRecord/default/web', record: '' };

function aggregate(config: Partial<DnsRecordConfig>, name = 'web'): ReturnType<typeof aggregateRecord> {
  const whole = { name: 'www.example.com', type: 'A', content: '192.0.2.1', ...config };
  return aggregateRecord([sourceOf({ ...owner, name }, whole)], key);
}

test('a record is marked behind what the user wrote, and knows its owner', () => {
  expect(aggregate({ comment: 'front door', ttl: 300, proxied: true })).toEqual({
    ok: true,
    losers: [],
    desired: {
      name: 'www.example.com',
      type: 'A',
      content: '192.0.2.1',
      ttl: 300,
      proxied: true,
      comment: 'front door [managed-by:DNSRecord/default/web]',
      owner,
    },
  });
});

test('only types that can be proxied say whether they are', () => {
  const aggregated = aggregate({ type: 'TXT', content: 'x', proxied: true });
  expect(aggregated.ok && 'proxied' in aggregated.desired).toBe(false);
});

const long = 'x'.repeat(70);

const whole = `${long} [managed-by:DNSRecord/default/${'n'.repeat(40)}]`;

test.each([
  {
    what: 'on a free zone what does not fit names the characters',
    plan: 'free',
    says: 'spec.comment is 5 characters too long: with our mark it must fit into 100',
  },
  { what: 'on a paid zone there is room', plan: 'pro', says: whole },
  { what: 'on a zone of unknown plan the longer limit is tried', plan: undefined, says: whole },
])('$what', ({ plan, says }) => {
  const aggregated = aggregate({ comment: long, ...(plan && { plan }) }, 'n'.repeat(40));
  expect(aggregated.ok ? aggregated.desired.comment : aggregated.message).toBe(says);
});

test('where the mark is too long for the field, the owner is there by its hash', () => {
  const aggregated = aggregate({ comment: 'x'.repeat(60), plan: 'free' }, 'n'.repeat(40));
  expect(aggregated.ok && aggregated.desired.comment).toMatch(/^x{60} \[managed-by:DNSRecord\/#[0-9a-f]{10}\]$/);
});

test.each([
  { config: { type: 'SRV', data: { port: 1 } }, message: 'spec.data.target: must be given for a record of this type' },
  {
    config: { type: 'SRV', content: '1 2', data: undefined },
    message: 'spec.content: an SRV record needs priority weight port target, or spec.data',
  },
  {
    config: { type: 'CAA', data: { flags: 'x', tag: 'issue', value: 'a' } },
    message: 'spec.data.flags: must be a number',
  },
  { config: { type: 'MX', content: 'mail.example.org' }, message: 'spec.priority: must be given for an MX record' },
])('$message', ({ config, message }) => {
  const aggregated = aggregate(config);
  expect(aggregated).toEqual({ ok: false, message, ref: owner });
});

test('zero is sent as zero', () => {
  const aggregated = aggregate({
    type: 'SRV',
    data: { weight: 0, port: 5060, target: 'sip.example.org' },
    priority: 0,
  });
  expect(aggregated.ok && aggregated.desired.data).toEqual({
    priority: 0,
    weight: 0,
    port: 5060,
    target: 'sip.example.org',
  });
});

const shared = { accountId: 'a', zoneId: 'z', owner: '', record: 'app.example.com' };
const toTunnel = { name: 'app.example.com', type: 'CNAME', content: 't.cfargotunnel.com', ttl: 1, proxied: true };
const first = { kind: 'Ingress', namespace: 'default', name: 'first' };
const second = { kind: 'Ingress', namespace: 'default', name: 'second' };

test.each([
  { what: 'the same', differs: {}, loses: false },
  { what: 'the same, and leave to adopt', differs: { adopt: true }, loses: false },
  { what: 'another tunnel', differs: { content: 'u.cfargotunnel.com' }, loses: true },
  { what: 'no proxy', differs: { proxied: false }, loses: true },
])('of a record of several, who wants $what has lost: $loses', ({ differs, loses }) => {
  const aggregated = aggregateRecord(
    [sourceOf(first, toTunnel), sourceOf(second, { ...toTunnel, ...differs })],
    shared,
  );
  const reason = 'Ingress/default/first was there first';
  const losers = loses ? [{ ref: second, what: 'record app.example.com', winner: first, reason }] : [];
  expect(aggregated).toMatchObject({ ok: true, desired: { content: 't.cfargotunnel.com', owner: first }, losers });
});

test('leave to adopt may come from any of them, unless it ends at what is registered', () => {
  const adopting = (config: object): boolean => {
    const aggregated = aggregateRecord(
      [sourceOf(first, toTunnel), sourceOf(second, { ...toTunnel, ...config })],
      shared,
    );
    return aggregated.ok && aggregated.desired.adopt === true;
  };
  expect([adopting({}), adopting({ adopt: true }), adopting({ adopt: true, respectRegistry: true })]).toEqual([
    false,
    true,
    false,
  ]);
});
