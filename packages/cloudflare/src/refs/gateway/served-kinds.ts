import { crdKind, isTrue } from '@tributary/runtime';
import type { AnyObject, Condition, Kind, KubeObject } from '@tributary/runtime';
import type { Refs } from '../../engine/l2-controllers/contributor.ts';

type Crd = AnyObject & {
  readonly spec?: { readonly versions?: readonly { readonly name: string; readonly served: boolean }[] };
  readonly status?: { readonly conditions?: readonly Condition[] };
};

/** Whether the cluster has the kind. One that it does not have could never be read completely, so this comes first. */
export function isServed(refs: Pick<Refs, 'get'>, kind: Kind<KubeObject>): boolean {
  const crd: Crd | undefined = refs.get(crdKind, { name: `${kind.plural}.${kind.group}` });
  const served = crd?.spec?.versions?.some(({ name, served: isOn }) => name === kind.version && isOn) ?? false;
  return served && isTrue(crd?.status?.conditions, 'Established');
}

/** None where the kind is not installed; whoever asks is woken when it is. */
export function listServed<T extends KubeObject>(
  refs: Pick<Refs, 'get' | 'list'>,
  kind: Kind<T>,
  options?: { readonly namespace?: string },
): readonly T[] {
  return isServed(refs, kind) ? refs.list(kind, options) : [];
}

export function getServed<T extends KubeObject>(
  refs: Pick<Refs, 'get'>,
  kind: Kind<T>,
  ref: { readonly namespace?: string | undefined; readonly name: string },
): T | undefined {
  return isServed(refs, kind) ? refs.get(kind, ref) : undefined;
}
