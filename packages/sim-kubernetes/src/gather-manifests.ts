import type { WebhookOptions } from './local-webhooks/open-webhooks.ts';
import { isWebhookConfiguration, pointToPlace } from './local-webhooks/point-to-place.ts';
import type { WebhookPlace } from './local-webhooks/point-to-place.ts';
import { readManifests } from './read-manifests.ts';
import type { JsonObject } from './registry/json.ts';

export type ManifestOptions = {
  /** Files and folders of CustomResourceDefinitions to install before the cluster is handed out. */
  readonly crdPaths?: readonly string[];
  /** CustomResourceDefinitions as objects. */
  readonly crds?: readonly object[];
  /** Webhook configurations to install, and who answers them. */
  readonly webhooks?: WebhookOptions;
};

/** What a cluster is to begin with: CRDs and webhook configurations, these pointed to the local webhooks if there are any. */
export async function gatherManifests(
  { crdPaths = [], crds = [], webhooks }: ManifestOptions,
  place: WebhookPlace | undefined,
): Promise<{ readonly crds: readonly JsonObject[]; readonly configurations: readonly JsonObject[] }> {
  const point = (object: JsonObject): JsonObject => (place === undefined ? object : pointToPlace(object, place));
  const definitions = (await readManifests(crdPaths)).filter(({ kind }) => kind === 'CustomResourceDefinition');
  const configurations = (await readManifests(webhooks?.paths ?? [])).filter(isWebhookConfiguration);
  return {
    crds: [...definitions, ...(crds as readonly JsonObject[])].map(point),
    configurations: [...configurations, ...((webhooks?.configurations ?? []) as readonly JsonObject[])].map(point),
  };
}
