import type { Pod, Projection, Volume } from '../contract/pod.ts';
import { renameBuiltInSecret } from './built-in-secrets.ts';
import { translateDownwardItem } from './field-paths.ts';
import { ephemeralClaimName } from './references.ts';
import { tokenVolumesOf } from './token-sources.ts';
import type { TokenSource } from './token-sources.ts';
import { renamed } from './translate-containers.ts';

export type VolumeContext = {
  readonly toPhysical: (name: string) => string;
  /** The P name of the Secret that holds the tokens of a volume. */
  readonly tokenSecret: (volume: string) => string;
};

export function translateVolumes(pod: Pod, context: VolumeContext): readonly Volume[] {
  const tokens = new Map(tokenVolumesOf(pod).map(({ volume, sources }) => [volume, sources]));
  return (pod.spec.volumes ?? []).map((volume) =>
    translateVolume(volume, tokens.get(volume.name) ?? [], pod.metadata.name ?? '', context),
  );
}

function translateVolume(
  volume: Volume,
  tokens: readonly TokenSource[],
  podName: string,
  context: VolumeContext,
): Volume {
  const { toPhysical } = context;
  if (volume.ephemeral) {
    // V has made the claim already; P would make a second one, with a volume of its own.
    const { ephemeral: _, ...rest } = volume;
    return { ...rest, persistentVolumeClaim: { claimName: toPhysical(ephemeralClaimName(podName, volume.name)) } };
  }
  const { configMap, secret, persistentVolumeClaim, projected, downwardAPI, csi } = volume;
  return {
    ...volume,
    ...(configMap && { configMap: renamed(configMap, toPhysical) }),
    ...(secret?.secretName && { secret: { ...secret, secretName: toPhysical(secret.secretName) } }),
    ...(persistentVolumeClaim && {
      persistentVolumeClaim: { ...persistentVolumeClaim, claimName: toPhysical(persistentVolumeClaim.claimName) },
    }),
    ...(csi?.nodePublishSecretRef && {
      csi: { ...csi, nodePublishSecretRef: renamed(csi.nodePublishSecretRef, toPhysical) },
    }),
    ...renameBuiltInSecret(volume, toPhysical),
    ...(downwardAPI?.items && { downwardAPI: { ...downwardAPI, items: downwardAPI.items.map(translateDownwardItem) } }),
    ...(projected?.sources && {
      projected: {
        ...projected,
        sources: projected.sources.map((source, index) =>
          translateSource(
            source,
            tokens.find((token) => token.index === index),
            context.tokenSecret(volume.name),
            context,
          ),
        ),
      },
    }),
  };
}

function translateSource(
  source: Projection,
  token: TokenSource | undefined,
  tokenSecret: string,
  { toPhysical }: VolumeContext,
): Projection {
  if (token) return { secret: { name: tokenSecret, items: [{ key: token.key, path: token.path }] } };
  const { configMap, secret, downwardAPI } = source;
  return {
    ...source,
    ...(configMap && { configMap: renamed(configMap, toPhysical) }),
    ...(secret && { secret: renamed(secret, toPhysical) }),
    ...(downwardAPI?.items && { downwardAPI: { ...downwardAPI, items: downwardAPI.items.map(translateDownwardItem) } }),
  };
}
