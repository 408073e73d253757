import { hashOf, mergePatchBetween } from '@tributary/runtime';
import { isDeepStrictEqual } from 'node:util';
import { ownAnnotations } from '../contract/keys.ts';
import type { Container, Pod } from '../contract/pod.ts';
import { planMetadata } from '../engine/plan-metadata.ts';
import { expectedOfPod } from './pod-metadata.ts';
import type { ContainerLists } from './translate-containers.ts';

/** What a running pod must be told: each part goes to another subresource. */
export type PodChanges = {
  readonly patch?: Readonly<Record<string, unknown>>;
  readonly ephemeralContainers?: readonly Container[];
  readonly resize?: Resize;
};

type Sized = readonly Pick<Container, 'name' | 'resources'>[];
/** Init containers that go on beside the others have a size that can change, too. */
type Resize = { readonly containers?: Sized; readonly initContainers?: Sized };

/** Names the state of all that may change in a running pod, so that only what V changed is pushed: P may have its own mind. */
export function changeableHash({ spec }: Pod): string {
  const { containers, initContainers, ephemeralContainers, activeDeadlineSeconds, tolerations } = spec;
  return hashOf({
    images: [images(containers), images(initContainers)],
    resources: [...containers, ...(initContainers ?? [])].map(({ name, resources }) => [name, resources]),
    ephemeral: ephemeralContainers ?? [],
    deadline: activeDeadlineSeconds ?? null,
    tolerations: tolerations ?? [],
  }).slice(0, 16);
}

function images(list: readonly Container[] = []): unknown {
  return list.map(({ name, image }) => [name, image]);
}

/** Undefined when P has been told everything. `lists` gives V's containers as P must see them; it is asked only where V changed. */
export function planPodChanges(virtual: Pod, physical: Pod, lists: () => ContainerLists): PodChanges | undefined {
  const metadata = planMetadata(expectedOfPod(virtual), physical.metadata, { onlyIfKnown: true });
  const hash = changeableHash(virtual);
  const known = physical.metadata.annotations?.[ownAnnotations.expectedSpec];
  const spec = known === hash ? {} : planSpec(virtual, physical, lists());
  const told =
    isEmpty(spec) && known === undefined ? {} : known === hash ? {} : { [ownAnnotations.expectedSpec]: hash };
  const annotations = { ...metadata?.annotations, ...told };
  const labels = metadata?.labels ?? {};
  const patch = {
    ...(!(isEmpty(annotations) && isEmpty(labels)) && {
      metadata: { ...(!isEmpty(labels) && { labels }), ...(!isEmpty(annotations) && { annotations }) },
    }),
    ...(spec.patch && { spec: spec.patch }),
  };
  const changes: PodChanges = {
    ...(!isEmpty(patch) && { patch }),
    ...(spec.ephemeralContainers && { ephemeralContainers: spec.ephemeralContainers }),
    ...(spec.resize && { resize: spec.resize }),
  };
  return isEmpty(changes) ? undefined : changes;
}

type SpecPlan = Omit<PodChanges, 'patch'> & { readonly patch?: Readonly<Record<string, unknown>> };

function planSpec(virtual: Pod, physical: Pod, lists: ContainerLists): SpecPlan {
  const [is, wanted] = [physical.spec, virtual.spec];
  const patch = {
    ...(wanted.activeDeadlineSeconds !== is.activeDeadlineSeconds && {
      activeDeadlineSeconds: wanted.activeDeadlineSeconds ?? null,
    }),
    ...withImages('containers', is.containers, lists.containers),
    ...withImages('initContainers', is.initContainers ?? [], lists.initContainers ?? []),
    ...withTolerations(wanted.tolerations ?? [], is.tolerations ?? []),
  };
  const added = addedContainers(lists.ephemeralContainers ?? [], is.ephemeralContainers ?? []);
  const resize = {
    ...withSizes('containers', is.containers, lists.containers),
    ...withSizes('initContainers', is.initContainers ?? [], lists.initContainers ?? []),
  };
  return {
    ...(!isEmpty(patch) && { patch }),
    ...(added.length > 0 && { ephemeralContainers: [...(is.ephemeralContainers ?? []), ...added] }),
    ...(!isEmpty(resize) && { resize }),
  };
}

/** The whole list as P has it, but for the images: a merge patch replaces lists. */
function withImages(
  field: 'containers' | 'initContainers',
  is: readonly Container[],
  wanted: readonly Container[],
): Readonly<Record<string, unknown>> {
  const next = is.map((container) => {
    const image = wanted.find(({ name }) => name === container.name)?.image;
    return image === undefined || image === container.image ? container : { ...container, image };
  });
  return isDeepStrictEqual(next, is) ? {} : { [field]: next };
}

function withSizes(field: keyof Resize, is: readonly Container[], wanted: readonly Container[]): Resize {
  const resized = wanted.filter(({ name, resources }) => {
    const old = is.find((container) => container.name === name);
    return old !== undefined && mergePatchBetween(old.resources ?? {}, resources ?? {}) !== undefined;
  });
  const sizes = resized.map(({ name, resources }) => ({ name, resources: resources ?? {} }));
  return sizes.length === 0 ? {} : { [field]: sizes };
}

/** Those of P stay: they cannot be taken away. */
function withTolerations(wanted: readonly unknown[], is: readonly unknown[]): Readonly<Record<string, unknown>> {
  const missing = wanted.filter((toleration) => !is.some((known) => isDeepStrictEqual(known, toleration)));
  return missing.length === 0 ? {} : { tolerations: [...is, ...missing] };
}

/** Ephemeral containers can be added and never be changed or removed. */
function addedContainers(wanted: readonly Container[], is: readonly Container[]): readonly Container[] {
  return wanted.filter(({ name }) => !is.some((known) => known.name === name));
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
