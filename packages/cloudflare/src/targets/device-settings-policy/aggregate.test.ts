import { expect, test } from 'vitest';
import { sourceOf } from '../../testing/sim-call.ts';
import { aggregateProfile } from './aggregate.ts';
import type { DeviceSettingsPolicyConfig } from './contract.ts';

const policy = (name: string, config: DeviceSettingsPolicyConfig) =>
  sourceOf({ kind: 'DeviceSettingsPolicy', name }, config);

test('entries of all sources stand together, each with the mark of its owner; what two want is the first one’s', () => {
  const shared = { address: '10.0.0.0/8', description: 'AWS VPC' };
  expect(
    aggregateProfile([
      policy('a', { mode: 'include', include: [shared] }),
      policy('b', { mode: 'include', include: [{ address: '10.0.0.0/8' }, { host: 'x.example.com' }] }),
    ]),
  ).toEqual({
    ok: true,
    desired: {
      mode: 'include',
      split: [
        { address: '10.0.0.0/8', description: 'AWS VPC [managed-by:DeviceSettingsPolicy//a]' },
        { host: 'x.example.com', description: '[managed-by:DeviceSettingsPolicy//b]' },
      ],
      fallback: [],
    },
    losers: [],
  });
});

test('the first with entries has its mode, and who wants the other one hears it', () => {
  expect(
    aggregateProfile([
      policy('a', { fallback: [{ suffix: 'corp' }] }),
      policy('b', { mode: 'include', include: [{ address: '10.0.0.0/8' }] }),
      policy('c', { mode: 'exclude', exclude: [{ address: '10.1.0.0/16' }] }),
    ]),
  ).toMatchObject({
    desired: { mode: 'include', split: [{ address: '10.0.0.0/8' }] },
    losers: [
      {
        ref: { name: 'c' },
        what: 'splitTunnelMode',
        winner: { name: 'b' },
        reason: 'DeviceSettingsPolicy/b has the profile in include mode and comes before it',
      },
    ],
  });
});

test('of two servers for one domain the first one’s count, and the other is told', () => {
  expect(
    aggregateProfile([
      policy('a', { fallback: [{ suffix: 'corp', dns_server: ['10.0.0.1', '10.0.0.2'] }] }),
      policy('b', { fallback: [{ suffix: 'corp', dns_server: ['10.0.0.2', '10.0.0.1'] }] }),
      policy('c', { fallback: [{ suffix: 'CORP', dns_server: ['10.0.0.3'] }] }),
    ]),
  ).toMatchObject({
    desired: { fallback: [{ suffix: 'corp', dns_server: ['10.0.0.1', '10.0.0.2'] }] },
    losers: [{ ref: { name: 'c' }, what: 'fallback domain corp', winner: { name: 'a' } }],
  });
});

test('a description that does not fit with its mark is not cut', () => {
  const long = { address: '10.0.0.0/8', description: 'x'.repeat(90) };
  expect(aggregateProfile([policy('a', { mode: 'exclude', exclude: [long] })])).toMatchObject({
    ok: false,
    ref: { name: 'a' },
  });
});
