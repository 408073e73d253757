import { conditionList, defineCustomKind, timestamp } from '@tributary/runtime';
import type { Kind } from '@tributary/runtime';
import { z } from 'zod';
import { nodeSelector } from './node-selector.ts';

const text = z.string();

const spec = z.object({
  clusterID: text
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    .max(24)
    .describe('Part of the names of virtual nodes, labels and finalizers; it must never change'),
  secretRef: z
    .object({ name: text.optional(), namespace: text.optional() })
    .describe('The Secret of the virtual cluster whose key kubeconfig leads to the physical one'),
  mountNamespace: text.optional().describe('The one namespace of the physical cluster that receives everything'),
  nodeSelector: nodeSelector.optional().describe('Which physical nodes become virtual ones; all when absent'),
  serviceNamespaces: z.array(text).optional(),
  disableNodeDefaultTaint: z.boolean().optional(),
  podPriorityClassName: text.optional().describe('A class of the physical cluster; kubeocean-default when absent'),
  runningDaemonsetByDefault: z.boolean().optional(),
  directScheduling: z.boolean().optional().describe('Sets the node of physical pods instead of asking the scheduler'),
});

const status = z.object({
  phase: z.enum(['Pending', 'Ready', 'Failed']).optional(),
  conditions: conditionList().optional(),
  lastSyncTime: timestamp().optional(),
});

/** Ties a physical cluster to the virtual one. It lives in the virtual cluster; one syncer serves one of them. */
export const clusterBindingKind = defineCustomKind({
  group: 'cloud.tencent.com',
  kind: 'ClusterBinding',
  plural: 'clusterbindings',
  shortNames: ['cb'],
  scope: 'Cluster',
  versions: [
    {
      name: 'v1beta1',
      spec,
      status,
      printerColumns: [
        { name: 'ClusterID', type: 'string', jsonPath: '.spec.clusterID' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

type ObjectOf<K> = K extends Kind<infer T> ? T : never;
export type ClusterBinding = ObjectOf<typeof clusterBindingKind>;
