import { defineTable } from '../../store/table.ts';
import type { Account } from '../account-tables.ts';

export type Plan = 'free' | 'pro' | 'business' | 'enterprise';

export type Zone = {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly plan: Plan;
  readonly status: 'initializing' | 'pending' | 'active' | 'moved';
  readonly type: 'full' | 'partial' | 'secondary' | 'internal';
  readonly paused: boolean;
  readonly nameServers: readonly string[];
  readonly createdOn: string;
  readonly modifiedOn: string;
  readonly activatedOn: string | null;
  /** Takes the place of the plan's number of records. */
  readonly recordQuota?: number;
};

export const zones = defineTable<Zone>('zones');

const planWords: Readonly<Record<Plan, { readonly name: string; readonly price: number }>> = {
  free: { name: 'Free Website', price: 0 },
  pro: { name: 'Pro Website', price: 25 },
  business: { name: 'Business Website', price: 250 },
  enterprise: { name: 'Enterprise Website', price: 0 },
};

/** The zone as callers see it. */
export function toZone(zone: Zone, account: Account | undefined): unknown {
  return {
    id: zone.id,
    name: zone.name,
    status: zone.status,
    paused: zone.paused,
    type: zone.type,
    development_mode: 0,
    name_servers: zone.nameServers,
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    modified_on: zone.modifiedOn,
    created_on: zone.createdOn,
    activated_on: zone.activatedOn,
    meta: {
      step: 2,
      custom_certificate_quota: zone.plan === 'free' ? 0 : 1,
      page_rule_quota: { free: 3, pro: 20, business: 50, enterprise: 125 }[zone.plan],
      phishing_detected: false,
    },
    owner: { id: null, type: 'user', email: null },
    account: { id: zone.accountId, name: account?.name ?? '' },
    tenant: { id: null, name: null },
    tenant_unit: { id: null },
    permissions: ['#dns_records:edit', '#dns_records:read', '#zone:edit', '#zone:read', '#zone_settings:edit'],
    plan: toPlan(zone.plan),
  };
}

function toPlan(plan: Plan): unknown {
  const { name, price } = planWords[plan];
  return {
    id: { free: '0', pro: '1', business: '2', enterprise: '9' }[plan].repeat(32),
    name,
    price,
    currency: 'USD',
    frequency: plan === 'free' ? '' : 'monthly',
    is_subscribed: true,
    can_subscribe: false,
    legacy_id: plan,
    legacy_discount: false,
    externally_managed: false,
  };
}
