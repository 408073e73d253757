import { conditionList, defineCustomKind, listSet, mapOf, rule, timestamp } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { z } from 'zod';
import { ownTagPrefix } from './own-tag-prefix.ts';
import { withSpecRules } from './spec-rules.ts';

const text = (max: number): z.ZodOptional<z.ZodString> => z.string().max(max).optional();

const tagText = {
  cel: "!self.startsWith('aliyun') && !self.startsWith('acs:') && !self.contains('http://') && !self.contains('https://')",
  message: 'must not begin with aliyun or acs: and must not contain http:// or https://',
  holds: (value: string): boolean => !/^(aliyun|acs:)|https?:\/\//.test(value),
};
const tagValue = rule(z.string().max(128), tagText.cel, tagText.message, tagText.holds);
const ownTags = rule(
  mapOf(tagValue, { maxProperties: 20 }),
  `self.all(key, !key.startsWith('${ownTagPrefix}'))`,
  `tags that begin with ${ownTagPrefix} are the operator's mark`,
  (entries) => Object.keys(entries).every((key) => !key.startsWith(ownTagPrefix)),
);
const tags = rule(
  ownTags,
  "self.all(key, size(key) > 0 && size(key) <= 128 && !key.startsWith('aliyun') && !key.startsWith('acs:') && !key.contains('http://') && !key.contains('https://'))",
  'a key has 1 to 128 characters, must not begin with aliyun or acs: and must not contain http:// or https://',
  (entries) => Object.keys(entries).every((key) => key !== '' && key.length <= 128 && tagText.holds(key)),
);

/** No field is required and the empty string means "not given", as in the original: its users rely on both. */
const spec = withSpecRules(
  z.object({
    allocationID: text(64).describe(
      'An address that exists: it is adopted. Empty: one is allocated and its id is written here.',
    ),
    bandwidth: z
      .string()
      .max(8)
      .regex(/^([1-9][0-9]*)?$/)
      .optional()
      .describe('Mbit/s. Left alone while the address is in a bandwidth package.'),
    internetChargeType: z.enum(['', 'PayByTraffic', 'PayByBandwidth']).default('PayByTraffic'),
    instanceChargeType: z.enum(['', 'PostPaid', 'PrePaid']).optional(),
    isp: text(64).describe('The line, for example BGP or BGP_PRO.'),
    publicIPAddressPoolID: text(64),
    resourceGroupID: text(64),
    name: text(128),
    description: text(256),
    securityProtectionTypes: listSet(z.string().max(64)).max(10).optional(),
    tags: tags.optional().describe('Kept as they are here; tags of others are left alone.'),
    bandwidthPackageID: text(64).describe(
      'The bandwidth package to be in. When absent, a membership that somebody else arranged is left alone.',
    ),
    releaseStrategy: z
      .enum(['Never', 'OnDelete'])
      .default('OnDelete')
      .describe('What happens to the address when the object is deleted. An adopted one also needs an annotation.'),
  }),
);

const status = z.object({
  allocationID: z.string().optional(),
  eipAddress: z.string().optional(),
  status: z.string().optional(),
  isp: z.string().optional(),
  internetChargeType: z.string().optional(),
  instanceChargeType: z.string().optional(),
  bandwidth: z.string().optional(),
  bandwidthPackageID: z.string().optional(),
  resourceGroupID: z.string().optional(),
  name: z.string().optional(),
  publicIPAddressPoolID: z.string().optional(),
  description: z.string().optional(),
  securityProtectionTypes: z.array(z.string()).optional(),
  conditions: conditionList().optional(),
  lastSyncTime: timestamp().optional().describe('When the status last changed: an equal observation writes nothing.'),
});

const printerColumns = [
  { name: 'AllocationID', type: 'string', jsonPath: '.status.allocationID' },
  { name: 'EIP Address', type: 'string', jsonPath: '.status.eipAddress' },
  { name: 'Status', type: 'string', jsonPath: '.status.status' },
  { name: 'Bandwidth', type: 'string', jsonPath: '.status.bandwidth' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
] as const;

/** Wire-compatible with the original: names, fields, columns, scope. The rules are its webhook's and the provider's. */
export const eipKind = defineCustomKind({
  group: 'eip.alibabacloud.com',
  kind: 'EIP',
  plural: 'eips',
  singular: 'eip',
  shortNames: ['eip'],
  scope: 'Namespaced',
  versions: [{ name: 'v1alpha1', description: 'An elastic address of Alibaba Cloud.', spec, status, printerColumns }],
});

export type EipSpec = z.output<typeof spec>;
export type EipStatus = z.output<typeof status>;
export type EipObject = KubeObject & { readonly spec: EipSpec; readonly status?: EipStatus };
