import { conditionList, defineCustomKind, quantity, timestamp } from '@tributary/runtime';
import type { Kind } from '@tributary/runtime';
import { z } from 'zod';
import { nodeSelector } from './node-selector.ts';

const text = z.string();

const timeWindow = z.object({
  start: text.describe('HH:MM'),
  end: text.describe('HH:MM; before start: the next day'),
  days: z.array(text).optional().describe('English names of weekdays; all when absent'),
});

const resourceLimit = z.object({
  resource: text,
  quantity: quantity().optional(),
  percent: z.int32().optional(),
});

const spec = z.object({
  cluster: text.describe('The name of the ClusterBinding'),
  nodeSelector: nodeSelector.optional(),
  timeWindows: z.array(timeWindow).optional().describe('When the nodes are lent out; always when absent'),
  resourceLimits: z.array(resourceLimit).optional(),
  forceReclaim: z.boolean().optional(),
  gracefulReclaimPeriodSeconds: z.int32().optional(),
});

const status = z.object({
  phase: z.enum(['Pending', 'Active', 'Inactive', 'Failed']).optional(),
  conditions: conditionList().optional(),
  lastAppliedTime: timestamp().optional(),
  activeTimeWindow: z.boolean().optional(),
});

/** What of its nodes a physical cluster lends out, and when. It lives in the physical cluster. */
export const resourceLeasingPolicyKind = defineCustomKind({
  group: 'cloud.tencent.com',
  kind: 'ResourceLeasingPolicy',
  plural: 'resourceleasingpolicies',
  shortNames: ['rlp'],
  scope: 'Cluster',
  versions: [
    {
      name: 'v1beta1',
      spec,
      status,
      printerColumns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.cluster' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Active', type: 'boolean', jsonPath: '.status.activeTimeWindow' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

type ObjectOf<K> = K extends Kind<infer T> ? T : never;
export type ResourceLeasingPolicy = ObjectOf<typeof resourceLeasingPolicyKind>;
