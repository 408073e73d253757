import { describe, expect, test } from 'vitest';
import type { Contribution } from '../engine/l4-state/contract.ts';
import type { SyncState } from '../engine/l4-state/sync-state.ts';
import { fakeRefs } from './testing/fake-refs.ts';
import { credentialsObject, domainObject } from './testing/objects.ts';
import { zoneOf } from './zone-of.ts';
import type { ZoneQuestion } from './zone-of.ts';

const main = credentialsObject('main', { isDefault: true });
const named = credentialsObject('named', { defaultDomain: 'named.org' });
const site = domainObject('site', { domain: 'example.com' }, { zoneId: 'zone-com', accountId: 'acc' });
const shop = domainObject(
  'shop',
  { domain: 'Shop.Example.com', credentialsRef: { name: 'named' } },
  { zoneId: 'zone-shop', accountId: 'acc-shop' },
);
const fallback = domainObject('fallback', { domain: 'fallback.net', isDefault: true, zoneId: 'zone-net' });

const ask = (question: Partial<ZoneQuestion>, syncStates: readonly SyncState[] = []) => {
  const lookups: Contribution[] = [];
  const refs = fakeRefs([main, named, site, shop, fallback], syncStates, lookups);
  return { zone: zoneOf(refs, { cloudflare: {}, namespace: 'apps', ...question }), lookups };
};

const found: readonly { rule: string; question: Partial<ZoneQuestion>; value: object }[] = [
  {
    rule: 'an id that is named beats everything, and its name is known from the CloudflareDomain that has it',
    question: { cloudflare: { zoneId: 'zone-com', domain: 'other.org' }, name: 'www' },
    value: { zoneId: 'zone-com', domain: 'example.com', name: 'www.example.com', credentials: { name: 'main' } },
  },
  {
    rule: 'an id that no CloudflareDomain has leaves a short name to the API',
    question: { cloudflare: { zoneId: 'zone-x' }, name: 'www' },
    value: { zoneId: 'zone-x', domain: '', name: 'www' },
  },
  {
    rule: 'the CloudflareDomain with the longest name that covers the host, with its credentials and account',
    question: { cloudflare: { domain: 'other.org' }, name: 'a.shop.example.com' },
    value: { zoneId: 'zone-shop', accountId: 'acc-shop', credentials: { name: 'named' }, name: 'a.shop.example.com' },
  },
  {
    rule: 'the domain that is named, where the name lies in it: a delegation stands in the zone above',
    question: { cloudflare: { domain: 'example.com' }, name: 'shop.example.com' },
    value: { zoneId: 'zone-com', domain: 'example.com', name: 'shop.example.com', credentials: { name: 'main' } },
  },
  {
    rule: 'a domain that is named and lies in a CloudflareDomain leads to that one',
    question: { cloudflare: { domain: 'apps.shop.example.com' }, name: 'a.apps.shop.example.com' },
    value: { zoneId: 'zone-shop', domain: 'shop.example.com', credentials: { name: 'named' } },
  },
  {
    rule: 'a domain that is but a default, that of a tunnel, gives way to the CloudflareDomain that covers the host',
    question: { cloudflare: { domain: 'example.com' }, name: 'a.shop.example.com', domainIsDefault: true },
    value: { zoneId: 'zone-shop', domain: 'shop.example.com' },
  },
  {
    rule: "the object's own credentials come before those of the CloudflareDomain",
    question: { cloudflare: { credentialsRef: { name: 'main' } }, name: 'a.shop.example.com' },
    value: { zoneId: 'zone-shop', credentials: { name: 'main' } },
  },
  {
    rule: 'a domain that is named and has a CloudflareDomain needs no lookup',
    question: { cloudflare: { domain: 'Example.com' }, name: 'www' },
    value: { zoneId: 'zone-com', domain: 'example.com', name: 'www.example.com' },
  },
  {
    rule: 'the default CloudflareDomain is the last resort',
    question: { name: 'www' },
    value: { zoneId: 'zone-net', name: 'www.fallback.net' },
  },
];

describe('the zone of an object', () => {
  test.each(found)('$rule', ({ question, value }) => {
    const { zone, lookups } = ask(question);
    expect(zone).toMatchObject({ ok: true, value });
    expect(lookups).toEqual([]);
  });

  test('a domain without an object is looked up, first the one that is named', () => {
    const { zone, lookups } = ask({ cloudflare: { domain: 'New.org' }, name: 'www' });
    expect(zone).toMatchObject({ ok: false, state: 'waiting', reason: 'ZonePending' });
    expect(lookups).toMatchObject([
      {
        syncState: {
          resourceType: 'CloudflareDomain',
          key: { accountId: 'account-of-main', domain: 'new.org' },
          credentialsRef: { name: 'main' },
        },
        config: { lookup: true },
      },
    ]);
  });

  test('a domain without an object is looked up for a name that lies in it, whatever else covers the name', () => {
    const refs = fakeRefs([main, shop], [], []);
    const question = { cloudflare: { domain: 'example.com' }, namespace: 'apps', name: 'a.shop.example.com' };
    expect(zoneOf(refs, question)).toMatchObject({ ok: false, message: 'the zone of example.com is being looked up' });
  });

  test('then the default domain of the credentials', () => {
    const { lookups } = ask({ cloudflare: { credentialsRef: { name: 'named' } }, name: 'www' });
    expect(lookups).toMatchObject([{ syncState: { key: { accountId: 'account-of-named', domain: 'named.org' } } }]);
  });

  const lookup = (status: object): SyncState => {
    const [asked] = ask({ cloudflare: { domain: 'new.org' } }).lookups;
    return { metadata: { name: asked?.syncState.name ?? '' }, spec: {}, status } as unknown as SyncState;
  };

  test('what the lookup found is used, and goes on being asked for', () => {
    const question = { cloudflare: { domain: 'new.org' }, name: 'www' };
    const { zone, lookups } = ask(question, [lookup({ resultData: { zoneId: 'z' } })]);
    expect(zone).toMatchObject({ ok: true, value: { zoneId: 'z', name: 'www.new.org' } });
    expect(lookups).toHaveLength(1);
  });

  test('what the lookup could not find is told in its words', () => {
    const failed = lookup({ syncStatus: 'Error', error: 'no such zone' });
    const { zone, lookups } = ask({ cloudflare: { domain: 'new.org' } }, [failed]);
    expect(zone).toMatchObject({ ok: false, state: 'broken', message: 'domain new.org: no such zone' });
    expect(lookups).toHaveLength(1);
  });

  test('a name outside of the zone is refused', () => {
    const { zone } = ask({ cloudflare: { zoneId: 'zone-com' }, name: 'www.other.org' });
    expect(zone).toMatchObject({ reason: 'NotInZone', message: 'www.other.org does not lie in the zone example.com' });
  });

  test('a CloudflareDomain whose zone is not known yet is waited for', () => {
    const refs = fakeRefs([main, domainObject('site', { domain: 'example.com' })]);
    const zone = zoneOf(refs, { cloudflare: {}, namespace: 'apps', name: 'www.example.com' });
    expect(zone).toMatchObject({ ok: false, state: 'waiting' });
  });

  test('without anything to go by, what to do is told', () => {
    const zone = zoneOf(fakeRefs([main]), { cloudflare: {}, namespace: 'apps', name: 'www' });
    expect(zone).toMatchObject({ ok: false, state: 'broken', reason: 'ZoneUnknown' });
  });
});
