import type { Draft } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { child, ensureChild, items, maybeChild, text, textMap } from '../draft-fields.ts';

const prefix = 'container.apparmor.security.beta.kubernetes.io/';

/** Profiles that annotations of old name become fields, where containers have none. */
export function fillAppArmor(pod: Draft): void {
  const spec = child(pod, 'spec');
  const annotations = textMap(child(pod, 'metadata'), 'annotations');
  if (text(child(spec, 'os'), 'name') === 'windows') return;
  const ofPod = maybeChild(child(spec, 'securityContext'), 'appArmorProfile');
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of items(spec, list)) {
      const profile = profileOf(annotations[`${prefix}${text(container, 'name')}`] ?? '');
      const own = maybeChild(child(container, 'securityContext'), 'appArmorProfile');
      if (profile === undefined || own !== undefined || sameJson(profile, ofPod)) continue;
      ensureChild(container, 'securityContext')['appArmorProfile'] = profile;
    }
  }
}

function profileOf(annotation: string): Draft | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const name = /^localhost\/(.+)$/s.exec(annotation)?.[1];
  return name === undefined ? undefined : { type: 'Localhost', localhostProfile: name };
}
