import { defineCustomKind } from '@tributary/runtime';
import { z } from 'zod';

const text = z.string();

const subject = z.object({
  kind: text.default('Service'),
  name: text.describe('A Service of the same namespace'),
  spec: z
    .object({
      fqdn: text.optional().describe('The public name; the Service’s name and the tunnel’s domain when absent'),
      protocol: text.optional().describe('http, https, rdp, smb, ssh, tcp or udp; by the port when absent'),
      path: text.optional().describe('A regular expression, as cloudflared reads it'),
      target: text.optional().describe('Where requests go instead of the Service'),
      caPool: text.optional(),
      noTlsVerify: z.boolean().default(false),
      http2Origin: z.boolean().default(false),
      proxyAddress: text.regex(/^[0-9A-Fa-f.:]+$/).default('127.0.0.1'),
      proxyPort: z.int32().min(0).max(65_535).default(0),
      proxyType: z.enum(['', 'socks']).default(''),
    })
    .prefault({}),
});

const fields = z.object({
  subjects: z.array(subject),
  tunnelRef: z.object({
    kind: z.enum(['ClusterTunnel', 'Tunnel']),
    name: text,
    disableDNSUpdates: z.boolean().optional(),
  }),
  priority: z.int32().min(1).optional().describe('Lower wins where several objects want one host; 50 when absent'),
});

const status = z.object({
  hostnames: text,
  services: z.array(z.object({ hostname: text, target: text })),
  syncedHostnames: z.array(text).optional(),
  configVersion: z.int().optional(),
});

export const tunnelBindingKind = defineCustomKind({
  group: 'networking.cloudflare-operator.io',
  kind: 'TunnelBinding',
  plural: 'tunnelbindings',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      fieldsAtRoot: true,
      deprecated: 'TunnelBinding is deprecated: use an Ingress with a TunnelIngressClassConfig',
      spec: fields,
      status,
      printerColumns: [{ name: 'FQDNs', type: 'string', jsonPath: '.status.hostnames' }],
    },
  ],
});

export type TunnelBinding = NonNullable<(typeof tunnelBindingKind)['objectType']>;
export type BindingSubject = TunnelBinding['subjects'][number];
