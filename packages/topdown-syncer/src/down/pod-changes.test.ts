import { describe, expect, test } from 'vitest';
import { encodeExpectedMetadata } from '../contract/expected-metadata.ts';
import { annotations, ownAnnotations } from '../contract/keys.ts';
import type { Container, Pod, PodSpec } from '../contract/pod.ts';
import { changeableHash, planPodChanges } from './pod-changes.ts';

const main: Container = { name: 'main', image: 'nginx:1' };
const debug: Container = { name: 'debug', image: 'busybox' };
const more: Container = { name: 'more', image: 'busybox' };

const pod = (spec: Partial<PodSpec> = {}): Pod => ({
  metadata: { name: 'web' },
  spec: { containers: [main], ...spec },
});

/** A copy that was told everything that `was` says. */
function copyOf(was: Pod): Pod {
  const told = {
    [annotations.expectedMetadata]: encodeExpectedMetadata({}),
    [ownAnnotations.expectedSpec]: changeableHash(was),
  };
  return { ...was, metadata: { name: 'web-hash', annotations: told } };
}

const plan = (is: Pod, was: Pod) => planPodChanges(is, copyOf(was), () => is.spec);
const specOf = (is: Pod, was: Pod): unknown => (plan(is, was)?.patch as { spec?: unknown } | undefined)?.spec;

describe('a running pod is told', () => {
  test('nothing, when nothing changed', () => expect(plan(pod(), pod())).toBeUndefined());

  test('a deadline that is set', () => {
    expect(specOf(pod({ activeDeadlineSeconds: 60 }), pod())).toEqual({ activeDeadlineSeconds: 60 });
  });

  test('a deadline that changed', () => {
    const is = pod({ activeDeadlineSeconds: 30 });
    expect(specOf(is, pod({ activeDeadlineSeconds: 60 }))).toEqual({ activeDeadlineSeconds: 30 });
  });

  test('a deadline that was taken away', () => {
    expect(specOf(pod(), pod({ activeDeadlineSeconds: 60 }))).toEqual({ activeDeadlineSeconds: null });
  });

  test('the first ephemeral container', () => {
    expect(plan(pod({ ephemeralContainers: [debug] }), pod())?.ephemeralContainers).toEqual([debug]);
  });

  test('a further ephemeral container, with those that are there', () => {
    const is = pod({ ephemeralContainers: [debug, more] });
    expect(plan(is, pod({ ephemeralContainers: [debug] }))?.ephemeralContainers).toEqual([debug, more]);
  });

  test('W21: nothing of an ephemeral container that is missing in V: it cannot be taken away', () => {
    expect(plan(pod(), pod({ ephemeralContainers: [debug] }))?.ephemeralContainers).toBeUndefined();
  });

  test('nothing of ephemeral containers that are equal', () => {
    const is = pod({ ephemeralContainers: [debug] });
    expect(plan(is, is)).toBeUndefined();
  });

  test('W21: a new image, and the rest of its container as P has it', () => {
    const is = pod({ containers: [{ ...main, image: 'nginx:2' }] });
    expect(specOf(is, pod({ containers: [{ ...main, tty: true }] }))).toMatchObject({
      containers: [{ name: 'main', image: 'nginx:2', tty: true }],
    });
  });

  test('W21: resources, by way of a resize', () => {
    const resources = { requests: { cpu: '2' } };
    expect(plan(pod({ containers: [{ ...main, resources }] }), pod())?.resize).toEqual({
      containers: [{ name: 'main', resources }],
    });
  });

  test('W21: resources of an init container that goes on beside the others', () => {
    const resources = { requests: { cpu: '2' } };
    const sidecar = { ...more, restartPolicy: 'Always' };
    const is = pod({ initContainers: [{ ...sidecar, resources }] });
    expect(plan(is, pod({ initContainers: [sidecar] }))?.resize).toEqual({
      initContainers: [{ name: 'more', resources }],
    });
  });

  test('nothing, where nobody noted what it was told', () => {
    const bare = { ...pod(), metadata: { name: 'web-hash' } };
    expect(planPodChanges(pod(), bare, () => pod().spec)).toBeUndefined();
  });
});
