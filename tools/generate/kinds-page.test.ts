import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contributors } from '../../packages/cloudflare/src/catalog.ts';
import { resourceTypes } from '../../packages/cloudflare/src/engine/l4-state/resource-types.ts';
import { generateKindsPage, kindRows, targetRows } from './kinds-page.ts';

/** The kinds that a user of the Go program has manifests of. */
const former = `
  CloudflareCredentials CloudflareDomain Tunnel ClusterTunnel TunnelBinding AccessTunnel TunnelIngressClassConfig
  TunnelGatewayClassConfig DNSRecord VirtualNetwork NetworkRoute PrivateService OriginCACertificate DomainRegistration
  WARPConnector AccessApplication AccessGroup AccessPolicy AccessServiceToken AccessIdentityProvider DevicePostureRule
  DeviceSettingsPolicy GatewayRule GatewayList GatewayConfiguration R2Bucket R2BucketDomain R2BucketNotification
  ZoneRuleset TransformRule RedirectRule PagesProject PagesDomain PagesDeployment PagesPromotion
`
  .trim()
  .split(/\s+/);

/** Types of SyncStates that stay valid and that nothing uses: such rules are sources of the ruleset of their phase. */
const unused = ['TransformRule', 'RedirectRule'];

const [[, page] = ['', '']] = generateKindsPage();
const root = join(import.meta.dirname, '../..');

describe('the page of kinds', () => {
  test('has every kind that the Go program had', () => {
    expect(former).toHaveLength(35);
    const here = new Set(kindRows().map(({ kind }) => kind));
    expect(former.filter((kind) => !here.has(kind))).toEqual([]);
    for (const kind of former) expect(page).toContain(`| ${kind} `);
  });

  test('has every type of SyncState that the specification names', () => {
    const here = new Set(targetRows().map(({ type }) => type));
    expect(resourceTypes.filter((type) => !here.has(type) && !unused.includes(type))).toEqual([]);
  });

  test('has a row for all that the catalog has', () => {
    expect(kindRows()).toHaveLength(contributors.length);
  });

  test.each([
    ['Ingress', ['DNSRecord', 'TunnelConfiguration'], ['TunnelIngressClassConfig', 'Service']],
    ['RedirectRule', ['ZoneRuleset'], ['CloudflareDomain']],
    ['NetworkRoute', ['NetworkRoute'], ['ClusterTunnel', 'Tunnel', 'VirtualNetwork']],
    ['OriginCACertificate', ['OriginCACertificate'], ['CloudflareCredentials', 'Secret']],
  ])('says of %s what it asks for and refers to', (kind, targets, dependencies) => {
    const row = kindRows().find((one) => one.kind === kind);
    expect(row?.targets).toEqual(expect.arrayContaining(targets));
    expect(row?.dependencies).toEqual(expect.arrayContaining(dependencies));
  });

  test.each([
    ['DNSRecord', 'deleted'],
    ['OriginCACertificate', 'revoked'],
    ['DomainRegistration', 'kept'],
    ['WARPConnector', 'deleted if we made it, else kept'],
    ['GatewayConfiguration', 'kept'],
    ['ZoneRuleset', 'our part is taken out, the rest stays'],
  ])('says that %s is %s in the end', (type, end) => {
    expect(targetRows().find((one) => one.type === type)?.end).toBe(end);
  });

  test('tells calls of every target, and no name or id of a run', () => {
    expect(targetRows().filter(({ calls }) => calls.length === 0)).toEqual([]);
    expect(page).not.toMatch(/[0-9a-f]{32}/);
  });

  test('is as it was generated', () => {
    expect(readFileSync(join(root, 'docs/kinds.md'), 'utf8')).toBe(page);
  });
});
