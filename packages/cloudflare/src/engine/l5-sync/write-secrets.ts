import {
  isAlreadyExists,
  isNotFound,
  KubeApiError,
  mergePatchBetween,
  OperatorError,
  secretKind,
} from '@tributary/runtime';
import type { KubeClient, ObjectCache, Secret } from '@tributary/runtime';
import type { SecretWish } from './target.ts';

type SecretClient = Pick<KubeClient, 'get' | 'list' | 'create' | 'patch' | 'delete'>;

const managedBy = { 'app.kubernetes.io/managed-by': 'cloudflare-operator' } as const;
const labelSelector = Object.entries(managedBy)
  .map((pair) => pair.join('='))
  .join(',');

/** On a Secret that we made: whose it is, so that its loss can be told. */
const syncStateAnnotation = 'cloudflare-operator.io/sync-state';

/** Tells which SyncState has lost a Secret. Returns unsubscribe. */
export function onLostSecret(
  cache: Pick<ObjectCache, 'informer'>,
): (listener: (syncState: string) => void) => () => void {
  const informer = cache.informer(secretKind, { labelSelector });
  return (listener) =>
    informer.onChange(({ type, object }) => {
      const syncState = object.metadata.annotations?.[syncStateAnnotation];
      if (type === 'deleted' && syncState !== undefined) listener(syncState);
    });
}

/** Keeps Secrets in step: made when missing, mended when different, never touched when somebody else's. */
export async function writeSecrets(
  wishes: readonly SecretWish[],
  syncState: string,
  client: SecretClient,
): Promise<void> {
  for (const wish of wishes) {
    try {
      await writeSecret(wish, syncState, client);
      if (wish.only) await deleteFormer(wish, syncState, client);
    } catch (error) {
      throw toSecretError(wish, error);
    }
  }
}

/** In the server's one word: its message might repeat what it was given. */
function toSecretError({ namespace, name }: SecretWish, error: unknown): unknown {
  if (!(error instanceof KubeApiError)) return error;
  const message = `the Secret ${namespace}/${name} cannot be written: ${error.reason}`;
  return new OperatorError('sync/secret-not-written', message, error.retry);
}

async function writeSecret(wish: SecretWish, syncState: string, client: SecretClient): Promise<void> {
  const { namespace, name } = wish;
  const wanted = toSecret(wish, syncState);
  const seen = (await read(wish, client)) ?? (await create(wanted, client));
  if (!seen) return;
  if (!isOurs(seen, wish)) {
    if (wish.optional) return;
    const message = `the Secret ${namespace}/${name} exists already and is not ours; rename it, or what needs that name`;
    throw new OperatorError('sync/secret-not-ours', message, { kind: 'after', ms: 60_000 });
  }
  // The type of a Secret is for ever.
  if (wish.type !== undefined && seen.type !== undefined && seen.type !== wish.type) {
    const message = `the Secret ${namespace}/${name} is of type ${seen.type} and not ${wish.type}; remove it or name another`;
    throw new OperatorError('sync/secret-of-other-type', message, { kind: 'after', ms: 60_000 });
  }
  const patch = mergePatchBetween(partOf(seen, wish), partOf(wanted, wish));
  if (!patch) return;
  const { uid, resourceVersion } = seen.metadata;
  const metadata = { ...(patch['metadata'] as object | undefined), uid, resourceVersion };
  await client.patch(secretKind, { namespace, name }, { type: 'merge', body: { ...patch, metadata } });
}

/** A copy that somebody made has our label and annotation, too; what its owner's end would take along is ours alone. */
async function deleteFormer(
  { namespace, name, owner }: SecretWish,
  syncState: string,
  client: SecretClient,
): Promise<void> {
  const { items } = await client.list(secretKind, { namespace, labelSelector });
  const former = items.filter(
    ({ metadata }) =>
      metadata.name !== name &&
      metadata.annotations?.[syncStateAnnotation] === syncState &&
      metadata.ownerReferences?.some(({ uid }) => uid === owner?.uid),
  );
  for (const { metadata } of former) {
    const { name: old = '', uid } = metadata;
    await client.delete(secretKind, { namespace, name: old }, { preconditions: { uid } }).catch(unlessNotFound);
  }
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

async function read({ namespace, name }: SecretWish, client: SecretClient): Promise<Secret | undefined> {
  try {
    return await client.get(secretKind, { namespace, name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Undefined: made as wanted. */
async function create(wanted: Secret, client: SecretClient): Promise<Secret | undefined> {
  try {
    await client.create(secretKind, wanted);
    return undefined;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { namespace, name = '' } = wanted.metadata;
    return client.get(secretKind, { namespace, name });
  }
}

function isOurs({ metadata }: Secret, { owner }: SecretWish): boolean {
  const label = 'app.kubernetes.io/managed-by';
  return (
    metadata.labels?.[label] === managedBy[label] ||
    (owner !== undefined && (metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.uid))
  );
}

function toSecret({ namespace, name, type = 'Opaque', labels, data, owner }: SecretWish, syncState: string): Secret {
  return {
    metadata: {
      namespace,
      name,
      labels: { ...labels, ...managedBy },
      annotations: { [syncStateAnnotation]: syncState },
      ...(owner && { ownerReferences: [owner] }),
    },
    type,
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  };
}

/** The part of a Secret that is ours to set: further keys and labels of others stay. */
function partOf({ metadata, data = {} }: Secret, wish: SecretWish): object {
  const labels = Object.keys({ ...wish.labels, ...managedBy });
  return {
    metadata: {
      labels: pick(metadata.labels ?? {}, labels),
      annotations: pick(metadata.annotations ?? {}, [syncStateAnnotation]),
    },
    data: pick(data, [...Object.keys(wish.data), ...(wish.without ?? [])]),
  };
}

function pick(from: Readonly<Record<string, string>>, keys: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));
}
