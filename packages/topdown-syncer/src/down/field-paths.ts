import { annotations } from '../contract/keys.ts';
import type { DownwardItem, FieldRef } from '../contract/pod.ts';

// What a pod asks about itself must be answered with what it is called in V: those names are on it as annotations.
const virtualPaths: Readonly<Record<string, string>> = {
  'metadata.namespace': annotations.virtualPodNamespace,
  'metadata.name': annotations.virtualPodName,
  'spec.nodeName': annotations.virtualNodeName,
};

export function translateFieldRef(ref: FieldRef): FieldRef {
  const annotation = virtualPaths[ref.fieldPath ?? ''];
  return annotation === undefined ? ref : { ...ref, fieldPath: `metadata.annotations['${annotation}']` };
}

export function translateDownwardItem(item: DownwardItem): DownwardItem {
  return item.fieldRef ? { ...item, fieldRef: translateFieldRef(item.fieldRef) } : item;
}
