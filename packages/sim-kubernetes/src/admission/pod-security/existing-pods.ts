import { child, flag, items, text } from '../../kinds/draft-fields.ts';
import type { JsonObject, StoredObject } from '../../registry/json.ts';
import { plural } from './security-check.ts';
import { judgePod, reasonOf } from './judge-pod.ts';
import type { Standard } from './security-policy.ts';
import { standardText } from './security-policy.ts';

const mostPods = 3000;

/** What is told when a namespace asks for more than pods that are there already have. */
export function existingPodWarnings(
  pods: readonly StoredObject[],
  namespace: string,
  enforce: Standard,
): readonly string[] {
  const found = new Map<string, string[]>();
  const checked = firstOfEachOwner(pods).slice(0, mostPods);
  for (const pod of checked) {
    const reason = reasonOf(judgePod(enforce, pod.metadata, child(pod, 'spec') as JsonObject));
    if (reason !== '') found.set(reason, [...(found.get(reason) ?? []), pod.metadata.name]);
  }
  const few = `new PodSecurity enforce level only checked against the first ${mostPods} of ${pods.length} existing pods`;
  const standard = JSON.stringify(standardText(enforce));
  const violated = `violate the new PodSecurity enforce level ${standard}`;
  return [
    ...(checked.length < pods.length ? [few] : []),
    ...(found.size === 0 ? [] : [`existing pods in namespace ${JSON.stringify(namespace)} ${violated}`]),
    ...Array.from(found, ([reason, names]) => `${namesText(names)}: ${reason}`).toSorted(),
  ];
}

function namesText(names: readonly string[]): string {
  const [first = ''] = names.toSorted();
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${plural(others, 'pod')})`;
}

/** Pods of one controller are alike, so one of each comes first. */
function firstOfEachOwner(pods: readonly StoredObject[]): readonly StoredObject[] {
  const seen = new Set<string>();
  const isFirst = (pod: StoredObject): boolean => {
    const owner = items(pod.metadata, 'ownerReferences').find((found) => flag(found, 'controller'));
    const uid = text(owner, 'uid');
    const first = owner === undefined || !seen.has(uid);
    seen.add(uid);
    return first;
  };
  const first = new Set(pods.filter(isFirst));
  return [...first, ...pods.filter((pod) => !first.has(pod))];
}
