import { beforeEach, expect, test } from 'vitest';
import type { Call } from '../../engine/l5-sync/target.ts';
import { desiredOf, sourceOf, startSimCall } from '../../testing/sim-call.ts';
import type { SimCall } from '../../testing/sim-call.ts';
import type { AccessApplicationConfig } from './contract.ts';
import { accessApplicationTarget as target } from './sync.ts';

let sim: SimCall['sim'];
let call: Call;

beforeEach(async () => {
  ({ sim, call } = await startSimCall());
});

const key = () => ({ accountId: sim.accountId, owner: 'AccessApplication/wiki' });
const staff = { precedence: 1, name: 'staff', decision: 'allow', include: [{ everyone: {} }] };

function wanted(more: Partial<AccessApplicationConfig> = {}) {
  const fields = { domain: 'wiki.example.com', destinations: [{ type: 'public', uri: 'wiki.example.com' }] };
  const config = { name: 'wiki', type: 'self_hosted', fields, ownPolicies: [staff], sharedPolicies: [], ...more };
  return desiredOf(target.aggregate([sourceOf({ kind: 'AccessApplication', name: 'wiki' }, config)], key()));
}

test('its policies are known before they are sent: after a crash, one that is not wanted any more goes', async () => {
  const shared = { precedence: 9, id: 'p' };
  expect(target.memory?.before?.(wanted({ sharedPolicies: [shared] }), [])).toEqual({
    names: ['staff'],
    attached: ['p'],
  });
  expect(target.memory?.before?.(wanted({ ownPolicies: [] }), [])).toBeUndefined();
  const made = await target.create?.run(wanted(), key(), call);
  if (!made) throw new Error('nothing was made');
  const next = wanted({ ownPolicies: [{ ...staff, name: 'others' }] });
  const remembered = { names: ['staff'], attached: [] };
  const fields = target.difference(next, made, remembered);
  expect(fields).toEqual(['policies']);
  const seen = await target.update?.({ key: key(), wanted: next, observed: made, fields, remembered }, call);
  expect(seen?.['policies']).toMatchObject([{ name: 'others' }]);
});

test('what reads back as it was sent is no difference, whatever the API adds', async () => {
  const customAttributes = [{ name: 'm', source: { name: 'e', name_by_idp: [{ idp_id: 'i', source_name: 'upn' }] } }];
  const saas = { auth_type: 'saml', custom_attributes: customAttributes };
  const crm = wanted({ name: 'crm', type: 'saas', fields: { saas_app: saas }, ownPolicies: [] });
  const made = await target.create?.run(crm, key(), call);
  expect(made && target.difference(crm, made, undefined)).toEqual([]);
  const asMap = [{ name: 'm', source: { name: 'e', name_by_idp: { i: 'upn' } } }];
  const shown = { ...made, id: 'x', name: 'crm', saas_app: { ...saas, custom_attributes: asMap } };
  expect(target.difference(crm, shown, undefined)).toEqual([]);
});

test('rules of Gateway are never shown, and are sent again when they are others', async () => {
  const fields = { ...wanted().body, gateway_rules: [{ id: 'r1' }] };
  const one = wanted({ fields });
  const remembered = target.memory?.after(one, { id: 'x', name: 'wiki' }, undefined, 0);
  const seen = {
    ...one.body,
    id: 'x',
    name: 'wiki',
    gateway_rules: undefined,
    policies: [{ ...staff, id: '1', reusable: false }],
  };
  expect(target.difference(one, seen, remembered)).toEqual([]);
  const other = wanted({ fields: { ...fields, gateway_rules: [{ id: 'r2' }] } });
  expect(target.difference(other, seen, remembered)).toEqual(['gateway_rules']);
});
