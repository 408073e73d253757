import { cloneJson } from '../../registry/clone-json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import type { UpdateSubresource } from '../../registry/subresource.ts';
import { forbiddenField } from '../../schema/field-errors.ts';
import { child, ensureChild, items, text } from '../draft-fields.ts';
import { validatePodSpec } from '../validation/validate-pod-spec.ts';

const path = 'spec.ephemeralContainers';

/** Adds containers for debugging to a pod that runs. */
export const podEphemeralContainers: UpdateSubresource = {
  form: 'update',
  group: '',
  plural: 'pods',
  name: 'ephemeralcontainers',
  verbs: ['get', 'patch', 'update'],
  prepareForUpdate: (draft, old) => {
    const containers = child(draft, 'spec')['ephemeralContainers'];
    keepPod(draft, old);
    const spec = ensureChild(draft, 'spec');
    if (containers === undefined) delete spec['ephemeralContainers'];
    else spec['ephemeralContainers'] = containers;
  },
  validateUpdate: (next, old) => [...validatePodSpec(child(next, 'spec'), 'spec'), ...validateKept(next, old)],
};

/** Changes what the containers of a running pod may use. */
export const podResize: UpdateSubresource = {
  form: 'update',
  group: '',
  plural: 'pods',
  name: 'resize',
  verbs: ['get', 'patch', 'update'],
  prepareForUpdate: (draft, old) => {
    const wanted = cloneJson(child(draft, 'spec'));
    keepPod(draft, old);
    const spec = ensureChild(draft, 'spec');
    for (const list of ['containers', 'initContainers']) {
      for (const container of items(spec, list)) {
        const change = items(wanted, list).find((found) => found['name'] === container['name']);
        if (change === undefined) continue;
        container['resources'] = change['resources'] ?? {};
        if (change['resizePolicy'] !== undefined) container['resizePolicy'] = change['resizePolicy'];
      }
    }
  },
  validateUpdate: (next) => validatePodSpec(child(next, 'spec'), 'spec'),
};

/** Everything but the resourceVersion that the caller knows stays as it is. */
function keepPod(draft: Draft, old: StoredObject): void {
  const version = child(draft, 'metadata')['resourceVersion'];
  for (const key of Object.keys(draft)) delete draft[key];
  Object.assign(draft, cloneJson(old));
  if (version !== undefined) ensureChild(draft, 'metadata')['resourceVersion'] = version;
}

function validateKept(next: JsonObject, old: StoredObject): readonly FieldError[] {
  const now = new Map(items(child(next, 'spec'), 'ephemeralContainers').map((found) => [text(found, 'name'), found]));
  return items(child(old, 'spec'), 'ephemeralContainers').flatMap((container) => {
    const name = text(container, 'name');
    const found = now.get(name);
    const quoted = JSON.stringify(name);
    if (found === undefined) {
      return [forbiddenField(path, `existing ephemeral containers ${quoted} may not be removed\n`)];
    }
    if (sameJson(found, container)) return [];
    return [forbiddenField(path, `existing ephemeral containers ${quoted} may not be changed\n`)];
  });
}
