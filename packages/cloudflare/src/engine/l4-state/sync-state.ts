import { conditionList, defineCustomKind, mapOf, preserveUnknown, timestamp } from '@tributary/runtime';
import type { Kind } from '@tributary/runtime';
import { z } from 'zod';
import { resourceTypes } from './resource-types.ts';

/**
 * Layer 4: what is wanted of one Cloudflare object, and how far it has come. `spec` is written by layer 3 alone, `status`
 * by layer 5 alone, through its subresource, so the two never conflict.
 */
const text = z.string();

const sourceRef = z.object({ kind: text, namespace: text.optional(), name: text });

/** A Secret that an object names itself, without a CloudflareCredentials between. */
const credentialsSecret = z.object({
  namespace: text,
  name: text,
  tokenKey: text,
  apiKeyKey: text,
  email: text.optional(),
});

const credentialsRef = z.object({
  name: text.describe('A CloudflareCredentials; empty where a Secret is named directly'),
  namespace: text.optional(),
  secret: credentialsSecret.optional(),
});

const source = z.object({
  ref: sourceRef,
  config: preserveUnknown(),
  priority: z.int32().default(100),
  createdAt: timestamp().optional(),
  lastUpdated: timestamp().optional(),
  credentialsRef: credentialsRef.optional().describe('Those of this source, where they are others than those in use'),
  orphaned: z.boolean().optional().describe('The object is gone and asked that the remote side stay as it is'),
});

const spec = z.object({
  resourceType: z.enum(resourceTypes),
  cloudflareId: text.describe("The target's stable key; its real id where that is known beforehand"),
  accountId: text,
  zoneId: text.optional(),
  credentialsRef: credentialsRef.describe('In use: those of the source that comes first'),
  key: mapOf(text).optional().describe('All that identifies the target, so that deletion needs nothing else'),
  slice: z.int32().min(0).optional().describe('The number of this part, where the sources need more than one object'),
  sources: z.array(source).optional(),
});

const loser = z.object({ ref: sourceRef, what: text, winner: sourceRef, reason: text });

const status = z.object({
  syncStatus: z.enum(['Pending', 'Syncing', 'Synced', 'Error']).optional(),
  lastSyncTime: timestamp().optional(),
  configVersion: z.int().optional(),
  configHash: text.optional(),
  aggregatedConfig: preserveUnknown().optional(),
  error: text.optional(),
  lastError: text.optional(),
  cloudflareID: text.optional(),
  resultData: mapOf(text).optional(),
  conditions: conditionList().optional(),
  observedGeneration: z.int().optional(),
  intent: preserveUnknown().optional().describe('What is about to be created, written before it is'),
  recorded: preserveUnknown().optional().describe('What was last written, to tell foreign entries from ours'),
  refused: z
    .object({ hash: text, observed: text })
    .optional()
    .describe('What was refused for good: not tried again until the wish or the remote state is another'),
  lookAgainAt: timestamp().optional().describe('When it is looked at again although nothing has changed'),
  created: z.boolean().optional().describe('We made the remote object, rather than found it'),
  losers: z.array(loser).optional().describe('Who asked for something that another source was given'),
});

export const syncStateKind = defineCustomKind({
  group: 'networking.cloudflare-operator.io',
  kind: 'CloudflareSyncState',
  plural: 'cloudflaresyncstates',
  singular: 'cloudflaresyncstate',
  shortNames: ['cfss', 'syncstate'],
  scope: 'Cluster',
  versions: [
    {
      name: 'v1alpha2',
      spec,
      status,
      printerColumns: [
        { name: 'Type', type: 'string', jsonPath: '.spec.resourceType' },
        { name: 'CloudflareID', type: 'string', jsonPath: '.spec.cloudflareId' },
        { name: 'RealID', type: 'string', jsonPath: '.status.cloudflareID', priority: 1 },
        { name: 'Status', type: 'string', jsonPath: '.status.syncStatus' },
        { name: 'Version', type: 'integer', jsonPath: '.status.configVersion' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

type ObjectOf<K> = K extends Kind<infer T> ? T : never;
export type SyncState = ObjectOf<typeof syncStateKind>;
export type SyncStateSpec = SyncState['spec'];
export type SyncStateStatus = NonNullable<SyncState['status']>;
export type CredentialsRef = SyncStateSpec['credentialsRef'];

/** The CloudflareCredentials that a SyncState may need: those in use, and those of sources that may come first one day. */
export function credentialsIn({ credentialsRef: inUse, sources = [] }: SyncStateSpec): readonly string[] {
  const others = sources.flatMap(({ credentialsRef: own }) => own?.name ?? []);
  return [...new Set([inUse.name, ...others])];
}
