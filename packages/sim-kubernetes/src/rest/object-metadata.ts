import { badRequest } from '../registry/api-error.ts';
import type { Draft } from '../registry/json.ts';
import { sameJson } from '../registry/same-json.ts';
import type { WriteTarget } from './rest-deps.ts';

export type MetadataDraft = Draft & {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
  ownerReferences?: Draft[];
};

/** The metadata of a draft, made when it is missing. */
export function metadataOf(draft: Draft): MetadataDraft {
  if (typeof draft['metadata'] !== 'object' || draft['metadata'] === null) draft['metadata'] = {};
  return draft['metadata'] as MetadataDraft;
}

/** What only the server may set on a new object. */
export function wipeSystemFields(metadata: MetadataDraft): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata['selfLink'];
}

/** The namespace of the path counts; one in the object may repeat it but not contradict it. */
export function matchNamespace(metadata: MetadataDraft, { type, namespace }: WriteTarget): void {
  if (!type.namespaced || namespace === undefined) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = namespace;
  if (metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

export function matchName(metadata: MetadataDraft, name: string): void {
  if (metadata.name === undefined || metadata.name === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}

/** Equal owner references are kept once, with a warning, as the server does since 1.20. */
export function dropRepeatedOwners(metadata: MetadataDraft, when: string, warn: (text: string) => void): void {
  const references = metadata.ownerReferences;
  if (references === undefined || references.length < 2) return;
  const kept: Draft[] = [];
  const repeated: unknown[] = [];
  for (const reference of references) {
    if (kept.some((other) => sameJson(other, reference))) repeated.push(reference['uid']);
    else kept.push(reference);
  }
  if (repeated.length === 0) return;
  metadata.ownerReferences = kept;
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  );
}
