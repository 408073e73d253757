import type { ObjectRef } from '@tributary/runtime';
import { tokenSecretKey } from '../contract/names.ts';
import type { PhysicalName } from '../contract/names.ts';
import type { Pod } from '../contract/pod.ts';

/** One projected token: what V is asked for, and where it is kept in the Secret of its volume. */
export type TokenSource = {
  readonly key: string;
  readonly path: string;
  readonly audience: string | undefined;
  readonly expirationSeconds: number | undefined;
  /** Its place among the sources of the volume. */
  readonly index: number;
};

export type TokenVolume = { readonly volume: string; readonly sources: readonly TokenSource[] };

/** The volumes of a pod that project tokens. One Secret a volume: its first token is `token`, as in the original. */
export function tokenVolumesOf({ spec }: Pod): readonly TokenVolume[] {
  if (!spec.serviceAccountName) return [];
  return (spec.volumes ?? []).flatMap(({ name, projected }) => {
    const tokens = (projected?.sources ?? []).flatMap(({ serviceAccountToken }, index) =>
      serviceAccountToken ? [{ index, ...serviceAccountToken }] : [],
    );
    const sources = tokens.map(({ index, path, audience, expirationSeconds }, count) => ({
      key: count === 0 ? 'token' : `token-${count}`,
      path,
      audience,
      expirationSeconds,
      index,
    }));
    return sources.length > 0 ? [{ volume: name, sources }] : [];
  });
}

/** P's kubelet would fill it with a token of P, were it copied as it is. */
export function firstTokenVolume({ spec }: Pod): string | undefined {
  return spec.volumes?.find(({ projected }) => projected?.sources?.some((source) => source.serviceAccountToken))?.name;
}

export function tokenSecretRef(
  { metadata }: Pod,
  volume: string,
  { physicalName, mountNamespace }: { readonly physicalName: PhysicalName; readonly mountNamespace: string },
): ObjectRef & { readonly namespace: string } {
  const { name = '', namespace = '', uid = '' } = metadata;
  const key = tokenSecretKey({ name, uid }, volume);
  return { namespace: mountNamespace, name: physicalName({ namespace, name: key }) };
}
