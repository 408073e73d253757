import type { KubeObject, ObjectRef } from '@tributary/runtime';
import { annotations } from './keys.ts';

export type PodBackReference = { readonly namespace: string; readonly name: string; readonly uid: string };

/** Which V pod a P pod or a P token Secret says it stands for; undefined unless it says all three. */
export function podBackReference({ metadata }: KubeObject): PodBackReference | undefined {
  const found = metadata.annotations ?? {};
  const namespace = found[annotations.virtualPodNamespace];
  const name = found[annotations.virtualPodName];
  const uid = found[annotations.virtualPodUid];
  return namespace && name && uid ? { namespace, name, uid } : undefined;
}

/** Which V object a copy in P says it stands for. The namespace of a volume is there and empty. */
export function copyBackReference({ metadata }: KubeObject): ObjectRef | undefined {
  const found = metadata.annotations ?? {};
  const namespace = found[annotations.virtualNamespace];
  const name = found[annotations.virtualName];
  if (!name || namespace === undefined) return undefined;
  return namespace === '' ? { name } : { namespace, name };
}
