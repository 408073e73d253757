import { z } from 'zod';
import { defineClusterKind } from '../../refs/cloudflare-kind.ts';
import { accessRule } from '../../refs/access/access-rule.ts';
import { accessStatus, displayName } from '../../refs/access/access-shape.ts';
import { cloudflareDetails } from '../../refs/cloudflare-details.ts';

const spec = z.object({
  name: displayName,
  include: z.array(accessRule).min(1).describe('Who is in the group: whoever fits one of these'),
  exclude: z.array(accessRule).optional().describe('Who is not, whatever else fits'),
  require: z.array(accessRule).optional().describe('What must hold of everybody in the group'),
  isDefault: z.boolean().optional().describe('New applications take the group by default'),
  cloudflare: cloudflareDetails,
});

export const accessGroupKind = defineClusterKind('AccessGroup', ['accessgrp'], {
  spec,
  status: z.object({ groupId: z.string().optional(), ...accessStatus }),
  columns: { GroupID: '.status.groupId', State: '.status.state' },
});

export type AccessGroup = NonNullable<(typeof accessGroupKind)['objectType']>;
