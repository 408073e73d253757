import { child, items, maybeChild, text } from '../../kinds/draft-fields.ts';
import type { JsonObject } from '../../registry/json.ts';

/** A pod, or the template of one, as the checks see it. */
export type CheckedPod = {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
  readonly containers: readonly JsonObject[];
};

/** What a check has against a pod: in brief, and in detail. */
export type Violation = { readonly reason: string; readonly detail: string };

export type Judge = (pod: CheckedPod) => Violation | undefined;

/** One rule of the Pod Security Standards. The version of a rule that counts is the last that is not newer than asked. */
export type SecurityCheck = {
  readonly id: string;
  readonly versions: readonly { readonly since: number; readonly judge: Judge }[];
  /** The check of the baseline that this one makes superfluous. */
  readonly replaces?: string;
};

export function checkedPod(metadata: JsonObject, spec: JsonObject): CheckedPod {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => items(spec, list));
  return {
    annotations: child(metadata, 'annotations') as Record<string, string>,
    spec,
    containers: containers as JsonObject[],
  };
}

/** The security context of a pod or a container; undefined when it has none. */
export function contextOf(of: JsonObject): JsonObject | undefined {
  return maybeChild(of, 'securityContext') as JsonObject | undefined;
}

export const nameOf = (container: JsonObject): string => text(container, 'name');

export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** Each value once, in order. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted();
}

export function containersText(containers: readonly JsonObject[]): string {
  return `${plural(containers.length, 'container')} ${quoted(containers.map(nameOf))}`;
}

/** Who breaks a rule that both the pod and its containers can break; empty when nobody does. */
export function settersText(pod: CheckedPod, breaks: (context: JsonObject) => boolean): string {
  const isBad = (of: JsonObject): boolean => {
    const context = contextOf(of);
    return context !== undefined && breaks(context);
  };
  const containers = pod.containers.filter(isBad);
  const setters = [...(isBad(pod.spec) ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])];
  return setters.join(' and ');
}

/** What the contexts of a pod and its containers say, where they say something. */
export function valuesIn(pod: CheckedPod, read: (context: JsonObject) => string | undefined): readonly string[] {
  return distinct(
    [pod.spec, ...pod.containers].flatMap((of) => {
      const context = contextOf(of);
      const value = context && read(context);
      return value === undefined ? [] : [value];
    }),
  );
}
