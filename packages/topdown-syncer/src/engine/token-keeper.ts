import { isNotFound, OperatorError, secretKind, toKey } from '@tributary/runtime';
import type { ObjectKey, Secret } from '@tributary/runtime';
import { podBackReference } from '../contract/back-reference.ts';
import { claimOf, describeHolder } from '../contract/claim.ts';
import { serviceAccountKind } from '../contract/cluster-kinds.ts';
import { annotations, labels, managedByValue, ownerAnnotation } from '../contract/keys.ts';
import type { Pod } from '../contract/pod.ts';
import { refreshAtMs, tokenLife } from '../down/token-life.ts';
import { tokenSecretRef, tokenVolumesOf } from '../down/token-sources.ts';
import type { TokenSource, TokenVolume } from '../down/token-sources.ts';
import type { Sides } from '../sides.ts';
import type { GuardedWrites } from './guarded-writes.ts';

/** Keeps tokens of V's accounts in Secrets of P: they are all that a pod ever sees of an account. */
export type TokenKeeper = {
  /** Makes what is missing and refreshes what is due. Says when the next one is due. */
  readonly ensure: (pod: Pod, signal: AbortSignal) => Promise<number | undefined>;
  /** Takes away all Secrets that were made for the pod of this name. */
  readonly purge: (pod: ObjectKey, signal: AbortSignal) => Promise<void>;
  /** As `purge`, for pods that had the name before. */
  readonly purgeOthers: (pod: Pod, signal: AbortSignal) => Promise<void>;
};

const byPod = 'token-of-pod';

export function createTokenKeeper(sides: Sides, writes: GuardedWrites): TokenKeeper {
  const { secrets } = sides.informers.physical;
  secrets.addIndex(byPod, (secret) => {
    const reference = isTokenSecret(secret) ? podBackReference(secret) : undefined;
    return reference ? [toKey(reference)] : [];
  });
  const remove = async (key: ObjectKey, keepUid: string | undefined, signal: AbortSignal): Promise<void> => {
    for (const secret of secrets.byIndex(byPod, key)) {
      const claim = claimOf(secret, sides.identity);
      const ours = claim.of === 'us' && !claim.shared && secret.metadata.deletionTimestamp === undefined;
      if (!ours || podBackReference(secret)?.uid === keepUid) continue;
      await writes.deletePhysical(secretKind, secret, { signal });
    }
  };
  return {
    ensure: async (pod, signal) => {
      const due = [];
      for (const volume of tokenVolumesOf(pod)) due.push(await ensureVolume(sides, pod, volume, signal));
      return due.length === 0 ? undefined : Math.min(...due);
    },
    purge: async (key, signal) => remove(key, undefined, signal),
    purgeOthers: async ({ metadata: { namespace, name = '', uid } }, signal) =>
      remove(toKey({ namespace, name }), uid, signal),
  };
}

export function isTokenSecret({ metadata }: Secret): boolean {
  return metadata.labels?.[labels.serviceAccountToken] === 'true';
}

async function ensureVolume(
  sides: Sides,
  pod: Pod,
  { volume, sources }: TokenVolume,
  signal: AbortSignal,
): Promise<number> {
  const { mountNamespace } = sides.binding();
  const ref = tokenSecretRef(pod, volume, { physicalName: sides.physicalName, mountNamespace });
  const { secrets } = sides.informers.physical;
  await secrets.caughtUp(toKey(ref), signal);
  const seen = secrets.get(ref);
  if (seen) checkHolder(sides, pod, seen);
  const now = sides.clock.now();
  const stale = sources.filter(({ key }) => !seen || dueAt(sides, seen.data?.[key]) <= now);
  const fresh: Record<string, string> = {};
  for (const source of stale) fresh[source.key] = toBase64(await requestToken(sides, pod, source, signal));
  if (!seen) await sides.physical.client.create(secretKind, toSecret(sides, pod, ref, fresh), { signal });
  else if (stale.length > 0) await refresh(sides, seen, fresh, signal);
  const data = { ...seen?.data, ...fresh };
  return Math.min(...sources.map(({ key }) => dueAt(sides, data[key])));
}

/** Never due: a token that says nothing about its age. Due at once: one that is not there. */
function dueAt({ random }: Pick<Sides, 'random'>, encoded: string | undefined): number {
  if (encoded === undefined) return 0;
  const life = tokenLife(Buffer.from(encoded, 'base64').toString('utf8'));
  return life ? refreshAtMs(life, random) : Number.POSITIVE_INFINITY;
}

function checkHolder({ identity }: Sides, pod: Pod, secret: Secret): void {
  const claim = claimOf(secret, identity);
  const reference = podBackReference(secret);
  const same = reference?.uid === pod.metadata.uid;
  if (same && (claim.of === 'us' || claim.of === 'unmarked')) return;
  const message = `Secret ${secret.metadata.name ?? ''} of the physical cluster is held by ${describeHolder(claim)}`;
  throw new OperatorError('syncer/name-conflict', message, { kind: 'backoff' });
}

async function refresh(
  sides: Sides,
  secret: Secret,
  fresh: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name = '', uid } = secret.metadata;
  const { clusterId, virtualCluster } = sides.identity;
  const body = { metadata: { uid, annotations: { [ownerAnnotation(clusterId)]: virtualCluster } }, data: fresh };
  try {
    await sides.physical.client.patch(secretKind, { namespace, name }, { type: 'merge', body }, { signal });
  } catch (error) {
    // It went while the token was asked for: the next look makes it anew.
    if (!isNotFound(error)) throw error;
  }
}

type TokenRequest = { readonly status: { readonly token: string } };

async function requestToken(sides: Sides, pod: Pod, source: TokenSource, signal: AbortSignal): Promise<string> {
  const { namespace, name, uid } = pod.metadata;
  const { audience, expirationSeconds } = source;
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {
      audiences: audience ? [audience] : [],
      ...(expirationSeconds !== undefined && { expirationSeconds }),
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    },
  };
  const account = { namespace, name: pod.spec.serviceAccountName ?? '' };
  const { client } = sides.virtual;
  const answer = await client.createSubresource<TokenRequest>(serviceAccountKind, account, 'token', body, { signal });
  return answer.status.token;
}

function toSecret(
  { identity }: Sides,
  pod: Pod,
  ref: { readonly namespace: string; readonly name: string },
  data: Record<string, string>,
): Secret {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  return {
    metadata: {
      ...ref,
      labels: { [labels.managedBy]: managedByValue, [labels.serviceAccountToken]: 'true' },
      annotations: {
        [annotations.virtualPodNamespace]: namespace,
        [annotations.virtualPodName]: name,
        [annotations.virtualPodUid]: uid,
        [annotations.serviceAccount]: pod.spec.serviceAccountName ?? '',
        [ownerAnnotation(identity.clusterId)]: identity.virtualCluster,
      },
    },
    type: 'Opaque',
    data,
  };
}

function toBase64(token: string): string {
  return Buffer.from(token, 'utf8').toString('base64');
}
