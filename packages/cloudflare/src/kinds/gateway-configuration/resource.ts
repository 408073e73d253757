import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessStatus } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';
import { priority } from '../../refs/priority.ts';

const text = z.string().optional();
const flag = z.boolean().optional();
const enabled = z.boolean();
const onOff = z.object({ enabled }).optional();

const antiVirus = z.object({
  enabled: enabled.describe('False: nothing is scanned, whatever the phases say. True without phases: both'),
  enabledDownloadPhase: flag,
  enabledUploadPhase: flag,
  failClosed: flag.describe('What cannot be scanned is blocked'),
  notificationSettings: z.object({ enabled, message: text, supportUrl: text }).optional(),
});

const blockPage = z.object({
  enabled,
  name: text,
  footerText: text,
  headerText: text,
  logoPath: text,
  backgroundColor: text,
  mailtoAddress: text,
  mailtoSubject: text,
  suppressFooter: flag,
});

const settings = z.object({
  tlsDecrypt: onOff,
  activityLog: onOff,
  antiVirus: antiVirus.optional(),
  blockPage: blockPage.optional(),
  bodyScanning: z.object({ inspectionMode: text.describe('deep or shallow') }).optional(),
  browserIsolation: z.object({ urlBrowserIsolationEnabled: flag, nonIdentityEnabled: flag }).optional(),
  fips: z.object({ tls: flag }).optional(),
  protocolDetection: onOff,
  customCertificate: z.object({ enabled, id: text }).optional(),
  nonIdentityBrowserIsolation: onOff.describe('Older form of browserIsolation.nonIdentityEnabled: true is true'),
});

export type GatewaySettings = z.output<typeof settings>;

const spec = z.object({
  settings: settings.describe('What is not said stays as it is at Cloudflare, also when the object is deleted'),
  priority,
  cloudflare: cloudflareDetails,
});

export const gatewayConfigurationKind = defineClusterKind('GatewayConfiguration', ['gwconfig'], {
  spec,
  status: z.object(accessStatus),
  columns: { State: '.status.state' },
});

export type GatewayConfiguration = NonNullable<(typeof gatewayConfigurationKind)['objectType']>;
