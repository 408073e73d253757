import { describe, expect, test } from 'vitest';
import { tunnelKind } from './resource.ts';

const newTunnel = { name: 'office' };

describe('a Tunnel', () => {
  test('has the columns and versions of the original, and takes a status that has conditions only', () => {
    const { versions, names, conversion } = tunnelKind.toCrd().spec;
    const columns = versions.map(({ additionalPrinterColumns = [] }) =>
      additionalPrinterColumns.map(({ name }) => name),
    );
    expect(columns).toEqual([['TunnelID'], ['TunnelID', 'State', 'Age']]);
    expect(versions.map(({ name, served, storage, deprecated }) => [name, served, storage, deprecated])).toEqual([
      ['v1alpha1', true, false, true],
      ['v1alpha2', true, true, undefined],
    ]);
    expect([names.shortNames, conversion?.strategy]).toEqual([undefined, 'Webhook']);
    for (const { schema } of versions) {
      const required = schema.openAPIV3Schema.properties?.['status']?.required;
      expect(required).toBeUndefined();
    }
  });

  const accepted: readonly (readonly [string, object])[] = [
    ['new', { newTunnel, cloudflare: {} }],
    ['existing by id', { existingTunnel: { id: 'x' }, cloudflare: { credentialsRef: { name: 'prod' } } }],
    [
      'with an older Secret',
      { newTunnel, cloudflare: { domain: 'example.com', secret: 's', email: 'a@b', CLOUDFLARE_API_KEY: 'KEY' } },
    ],
    [
      'with everything',
      {
        newTunnel,
        deployPatch: 'spec: {}',
        noTlsVerify: true,
        originCaPool: 'cas',
        protocol: 'http2',
        fallbackTarget: 'http_status:503',
        enableWarpRouting: true,
        cloudflare: {},
      },
    ],
  ];
  for (const [name, spec] of accepted) {
    test(`is taken: ${name}`, () => expect(tunnelKind.parseSpec(spec).ok).toBe(true));
  }

  const refused: readonly (readonly [string, object])[] = [
    ['spec.newTunnel', { cloudflare: {} }],
    ['spec.newTunnel', { newTunnel, existingTunnel: { id: 'x' }, cloudflare: {} }],
    ['spec.newTunnel.name', { newTunnel: { name: '' }, cloudflare: {} }],
    ['spec.cloudflare', { newTunnel }],
    ['spec.protocol', { newTunnel, cloudflare: {}, protocol: 'http3' }],
    ['spec.priority', { newTunnel, cloudflare: {}, priority: 0 }],
  ];
  for (const [field, spec] of refused) {
    test(`is refused by the name of the field: ${field} in ${JSON.stringify(spec)}`, () => {
      expect(tunnelKind.parseSpec(spec)).toMatchObject({ ok: false, problems: [{ field }] });
    });
  }

  test('of v1alpha1 gets the defaults of its day', () => {
    const spec = { cloudflare: { domain: 'example.com', secret: 's' }, newTunnel };
    expect(tunnelKind.at('v1alpha1').parseSpec(spec)).toMatchObject({
      value: { size: 1, image: 'cloudflare/cloudflared:2025.4.0', protocol: 'auto', fallbackTarget: 'http_status:404' },
    });
    expect(tunnelKind.at('v1alpha1').parseSpec({ cloudflare: { secret: 's' }, newTunnel })).toMatchObject({
      problems: [{ field: 'spec.cloudflare.domain' }],
    });
  });
});
