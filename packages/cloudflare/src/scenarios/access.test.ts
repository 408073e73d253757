import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { createAccessWorld } from './testing/access-world.ts';
import type { AccessWorld } from './testing/access-world.ts';

// Whole worlds, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let it: AccessWorld;
beforeEach(async () => {
  it = await createAccessWorld();
});
afterEach(async () => it.world.stop());

const everyone = [{ everyone: true }];
const wiki = { domain: 'wiki.example.com' };

type Attached = { readonly id: string; readonly name: string; readonly precedence: number; readonly reusable: boolean };

function policiesOf(domain = 'wiki.example.com'): readonly Attached[] {
  const app = it.list('apps').find((each) => each['domain'] === domain);
  return (app?.['policies'] ?? []) as readonly Attached[];
}

const placed = (): unknown => policiesOf().map(({ name, precedence }) => [precedence, name]);

describe('an application waits for what it refers to', () => {
  test('and is made with the ids of groups, policies and identity providers, in whatever order they come', async () => {
    await it.apply('AccessApplication', 'wiki', {
      ...wiki,
      allowedIdpRefs: [{ name: 'pin' }],
      policies: [{ name: 'staff', decision: 'allow' }],
      reusablePolicyRefs: [{ name: 'guests' }],
    });
    await it.world.waitFor(() => it.ready('AccessApplication', 'wiki') !== undefined);
    expect(it.ready('AccessApplication', 'wiki')).toMatchObject({ status: 'False', reason: 'DependencyError' });
    expect(it.list('apps')).toEqual([]);
    await it.apply('AccessPolicy', 'guests', { decision: 'deny', include: everyone, precedence: 7 });
    await it.apply('AccessGroup', 'staff', { include: [{ emailDomain: { domain: 'example.com' } }] });
    await it.apply('AccessIdentityProvider', 'pin', { type: 'onetimepin' });
    await it.untilReady('AccessApplication', 'wiki');
    const groupId = it.statusOf('AccessGroup', 'staff')['groupId'];
    const policyId = it.statusOf('AccessPolicy', 'guests')['policyId'];
    const [app] = it.list('apps');
    expect(app).toMatchObject({
      name: 'wiki',
      allowed_idps: [it.statusOf('AccessIdentityProvider', 'pin')['providerId']],
      policies: [
        { name: 'staff - allow', precedence: 1, reusable: false, include: [{ group: { id: groupId } }] },
        { id: policyId, name: 'guests', precedence: 7, reusable: true },
      ],
    });
    expect(it.statusOf('AccessApplication', 'wiki')).toMatchObject({
      applicationId: app?.id,
      aud: app?.['aud'],
      domain: 'wiki.example.com',
      selfHostedDomains: ['wiki.example.com'],
      state: 'active',
      resolvedPolicies: [
        { precedence: 1, policyId: policiesOf()[0]?.id, groupId, groupName: 'staff', source: 'k8s', decision: 'allow' },
      ],
      resolvedReusablePolicies: [{ policyId, policyName: 'guests', source: 'k8s', precedence: 7, decision: 'deny' }],
    });
  });

  test('at Cloudflare too, by name', async () => {
    const group = it.send('POST', 'groups', { name: 'Team', include: [{ everyone: {} }] });
    const policy = it.send('POST', 'policies', { name: 'Guests', decision: 'deny', include: [{ everyone: {} }] });
    await it.apply('AccessApplication', 'wiki', {
      ...wiki,
      policies: [{ cloudflareGroupName: 'Team' }],
      reusablePolicyRefs: [{ cloudflareName: 'Guests' }],
    });
    await it.untilReady('AccessApplication', 'wiki');
    expect(policiesOf()).toMatchObject([
      { include: [{ group: { id: group.id } }] },
      { id: policy.id, precedence: 100 },
    ]);
    await it.remove('AccessApplication', 'wiki');
    await it.untilGone('AccessApplication', 'wiki');
    expect([it.list('groups'), it.list('policies'), it.list('apps')]).toMatchObject([[{ id: group.id }], [{}], []]);
  });

  test('and a group that is gone never takes a policy away', async () => {
    await it.apply('AccessGroup', 'staff', { include: everyone });
    await it.apply('AccessApplication', 'wiki', { ...wiki, policies: [{ name: 'staff', decision: 'deny' }] });
    await it.untilReady('AccessApplication', 'wiki');
    await it.remove('AccessGroup', 'staff');
    await it.world.waitFor(() => it.ready('AccessGroup', 'staff')?.reason === 'Deleting');
    expect(it.ready('AccessGroup', 'staff')?.message).toContain('group is used by a policy');
    expect(placed()).toEqual([[1, 'staff - deny']]);
    await it.remove('AccessApplication', 'wiki');
    await it.untilGone('AccessGroup', 'staff');
    expect([it.list('apps'), it.list('groups'), it.world.list(syncStateKind).filter(isAccess)]).toEqual([[], [], []]);
  });
});

function isAccess({ spec }: { readonly spec: { readonly resourceType: string } }): boolean {
  return spec.resourceType.startsWith('Access');
}

describe('policies of an application', () => {
  const two = [
    { policyName: 'first', include: everyone },
    { policyName: 'second', decision: 'deny', include: [{ country: { country: ['PT'] } }] },
  ];

  test('come, change and go, and those of somebody else stay where they are', async () => {
    await it.apply('AccessApplication', 'wiki', { ...wiki, policies: two });
    await it.untilReady('AccessApplication', 'wiki');
    const [app] = it.list('apps');
    const theirs = { name: 'theirs', decision: 'bypass', include: [{ certificate: {} }], precedence: 2 };
    const foreign = it.send('POST', `apps/${app?.id}/policies`, theirs);
    await it.apply('AccessApplication', 'wiki', {
      ...wiki,
      policies: [...two, { policyName: 'third', include: everyone }],
    });
    await it.untilReady('AccessApplication', 'wiki', 2);
    expect(placed()).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
      [4, 'theirs'],
    ]);
    await it.apply('AccessApplication', 'wiki', { ...wiki, policies: null });
    await it.untilReady('AccessApplication', 'wiki', 3);
    expect(policiesOf()).toMatchObject([{ id: foreign.id, name: 'theirs', decision: 'bypass', precedence: 4 }]);
  });

  test('that two want the same place for are refused by name', async () => {
    const policies = [
      { include: everyone, precedence: 3 },
      { include: everyone, precedence: 3 },
    ];
    await it.apply('AccessApplication', 'wiki', { ...wiki, policies });
    await it.world.waitFor(() => it.ready('AccessApplication', 'wiki') !== undefined);
    expect(it.ready('AccessApplication', 'wiki')).toMatchObject({
      reason: 'InvalidConfig',
      message: 'spec.policies[1].precedence: 3 is that of spec.policies[0] already',
    });
  });

  test('that name nothing are refused by name', async () => {
    await it.apply('AccessApplication', 'wiki', { ...wiki, policies: [{ decision: 'allow' }] });
    await it.world.waitFor(() => it.ready('AccessApplication', 'wiki') !== undefined);
    expect(it.ready('AccessApplication', 'wiki')?.message).toMatch(/^spec\.policies\[0\]: names neither rules/);
  });
});

describe('an application', () => {
  test('keeps its id when it is renamed and when it moves', async () => {
    await it.apply('AccessApplication', 'wiki', { ...wiki, name: 'Wiki' });
    await it.untilReady('AccessApplication', 'wiki');
    const { applicationId } = it.statusOf('AccessApplication', 'wiki');
    await it.apply('AccessApplication', 'wiki', { name: 'Docs', domain: 'docs.example.com' });
    await it.untilReady('AccessApplication', 'wiki', 2);
    expect(it.list('apps')).toMatchObject([
      { id: applicationId, name: 'Docs', self_hosted_domains: ['docs.example.com'] },
    ]);
  });

  test('keeps options that a person has set and that no field is for', async () => {
    await it.apply('AccessApplication', 'wiki', wiki);
    await it.untilReady('AccessApplication', 'wiki');
    const [app] = it.list('apps');
    it.send('PUT', `apps/${app?.id}`, { ...app, allow_iframe: true });
    await it.apply('AccessApplication', 'wiki', { ...wiki, logoUrl: 'https://logo' });
    await it.untilReady('AccessApplication', 'wiki', 2);
    expect(it.list('apps')).toMatchObject([{ allow_iframe: true, logo_url: 'https://logo' }]);
  });

  test('takes back what it once said and does not say any more', async () => {
    await it.apply('AccessApplication', 'wiki', { ...wiki, logoUrl: 'https://logo', httpOnlyCookieAttribute: false });
    await it.untilReady('AccessApplication', 'wiki');
    await it.apply('AccessApplication', 'wiki', { ...wiki, logoUrl: null, httpOnlyCookieAttribute: null });
    await it.untilReady('AccessApplication', 'wiki', 2);
    const [app] = it.list('apps');
    expect(app).toMatchObject({ http_only_cookie_attribute: true });
    expect(app?.['logo_url']).toBeUndefined();
  });

  test('makes the tags that it carries, and leaves them when it goes', async () => {
    it.send('POST', 'tags', { name: 'old' });
    await it.apply('AccessApplication', 'wiki', { ...wiki, tags: ['new', 'old'] });
    await it.untilReady('AccessApplication', 'wiki');
    expect(it.list('apps')).toMatchObject([{ tags: ['new', 'old'] }]);
    await it.remove('AccessApplication', 'wiki');
    await it.untilGone('AccessApplication', 'wiki');
    expect(it.list('tags').map(({ name }) => name)).toEqual(['old', 'new']);
  });

  test("is refused where another's stands in its way, with that one's id", async () => {
    const other = it.send('POST', 'apps', { name: 'x', type: 'ssh', domain: 'wiki.example.com' });
    await it.apply('AccessApplication', 'wiki', wiki);
    await it.world.waitFor(() => it.ready('AccessApplication', 'wiki')?.reason === 'Blocked');
    expect(it.ready('AccessApplication', 'wiki')?.message).toBe(`in the way: ${other.id}`);
  });

  test('of two objects for one name, the second is told whose it is, and has it when the first goes', async () => {
    await it.apply('AccessApplication', 'wiki', wiki);
    await it.untilReady('AccessApplication', 'wiki');
    await it.apply('AccessApplication', 'again', { ...wiki, name: 'wiki' });
    await it.world.waitFor(() => it.ready('AccessApplication', 'again') !== undefined);
    expect(it.ready('AccessApplication', 'again')).toMatchObject({ status: 'False', reason: 'OwnedByOther' });
    expect(it.list('apps')).toHaveLength(1);
    await it.remove('AccessApplication', 'wiki');
    await it.untilGone('AccessApplication', 'wiki');
    await it.world.waitFor(() => it.ready('AccessApplication', 'again')?.status === 'True', 3 * 3_600_000);
    expect(it.list('apps')).toHaveLength(1);
  });
});

test('a shared policy goes when the last application lets go of it, and says why it waits', async () => {
  await it.apply('AccessPolicy', 'guests', { include: everyone });
  await it.apply('AccessApplication', 'wiki', { ...wiki, reusablePolicyRefs: [{ name: 'guests' }] });
  await it.untilReady('AccessApplication', 'wiki');
  await it.remove('AccessPolicy', 'guests');
  await it.world.waitFor(() => it.ready('AccessPolicy', 'guests')?.reason === 'Deleting');
  expect(it.ready('AccessPolicy', 'guests')?.message).toContain('policy is in use');
  await it.apply('AccessApplication', 'wiki', { ...wiki, reusablePolicyRefs: null });
  await it.untilGone('AccessPolicy', 'guests');
  expect([it.list('policies'), policiesOf()]).toEqual([[], []]);
});
