import { isForbidden, isInvalid } from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { ownAnnotations } from '../contract/keys.ts';
import { podKind } from '../contract/pod.ts';
import type { Pod } from '../contract/pod.ts';
import type { PodChanges } from '../down/pod-changes.ts';

/** What P did not take of a change. */
export type Refusals = {
  readonly messages: readonly string[];
  /** P may take it later: a quota that is raised, a right that is given. What is invalid stays so. */
  readonly mayPass: boolean;
};

type Metadata = { readonly annotations?: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;

/** Tells P what V changed about a running pod. What P refuses of it keeps nothing else from following. */
export async function pushChanges(
  physical: Pod,
  { patch, ephemeralContainers, resize }: PodChanges,
  { client, signal }: { readonly client: KubeClient; readonly signal: AbortSignal },
): Promise<Refusals> {
  const { namespace, name = '', uid } = physical.metadata;
  const ref = { namespace, name };
  const messages: string[] = [];
  let mayPass = false;
  const taken = async (sent: Promise<unknown>): Promise<boolean> => {
    try {
      await sent;
      return true;
    } catch (error) {
      if (!isInvalid(error) && !isForbidden(error)) throw error;
      messages.push(error.message);
      mayPass ||= isForbidden(error);
      return false;
    }
  };
  const change = async (subresource: string, spec: object): Promise<boolean> => {
    const body = { metadata: { uid }, spec };
    return taken(client.patchSubresource(podKind, ref, subresource, { type: 'strategic', body }, { signal }));
  };
  if (resize) await change('resize', resize);
  if (ephemeralContainers) await change('ephemeralcontainers', { ephemeralContainers });
  const { metadata = {}, ...rest } = (patch ?? {}) as { readonly metadata?: Metadata };
  const send = async (part: object): Promise<unknown> => {
    const body = { ...part, metadata: { uid, ...(mayPass ? untold(metadata) : metadata) } };
    return client.patch(podKind, ref, { type: 'merge', body }, { signal });
  };
  if (patch && !(await taken(send(rest))) && 'spec' in rest) await taken(send({}));
  return { messages, mayPass };
}

/** What P may take later has not been told yet. */
function untold(metadata: Metadata): Metadata {
  const { [ownAnnotations.expectedSpec]: _told, ...annotations } = metadata.annotations ?? {};
  return { ...metadata, annotations };
}
