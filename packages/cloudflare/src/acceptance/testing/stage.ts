import type { Kind, KubeObject, ObjectRef } from '@tributary/runtime';
import { getCondition, isNotFound } from '@tributary/runtime';
import type { Condition } from '@tributary/runtime';
import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { allKinds } from '../../catalog.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { ingressClassKind, ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import type { RealWorld } from '../../testing/real-world.ts';
import type { World } from '../../testing/world.ts';

/** A cluster with the operator, and Cloudflare: all that a story needs, the same on the embedded server and on the real one. */
export type Stage = {
  readonly sim: SimCloudflare;
  /** Makes the objects at once, or gives those that are there the fields that are named. */
  readonly apply: (...objects: readonly KubeObject[]) => Promise<void>;
  /** Asks for the deletion and does not wait for it. */
  readonly delete: <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef) => Promise<void>;
  readonly get: <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef) => Promise<T | undefined>;
  readonly list: <T extends KubeObject>(kind: Kind<T>) => Promise<readonly T[]>;
  readonly until: (what: string, holds: () => Promise<boolean>) => Promise<void>;
};

export type Story = { readonly name: string; readonly expectStory: (stage: Stage) => Promise<void> };

export function embeddedStage({ sim, apply, delete: remove, get, list, clock }: World): Stage {
  return {
    sim,
    apply: async (...objects) => void (await Promise.all(objects.map(apply))),
    delete: remove,
    get: async (kind, ref) => get(kind, ref),
    list: async (kind) => list(kind),
    until: async (what, holds) => {
      const endsAt = clock.now() + 120_000;
      while (!(await holds())) {
        if (clock.now() > endsAt) throw new Error(`waited in vain: ${what}`);
        await clock.advance(100);
      }
    },
  };
}

export function realStage({ client, sim, get, until }: RealWorld): Stage {
  const applyOne = async (object: KubeObject): Promise<void> => {
    const kind = kindOf(object);
    const { name = '', namespace } = object.metadata;
    const ref = { ...(namespace !== undefined && { namespace }), name };
    try {
      await client.get(kind, ref);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(kind, object);
      return;
    }
    await client.patch(kind, ref, { type: 'merge', body: object });
  };
  return {
    sim,
    apply: async (...objects) => void (await Promise.all(objects.map(applyOne))),
    delete: async (kind, ref) => void (await client.delete(kind, ref)),
    get,
    list: async (kind) => (await client.list(kind)).items,
    until,
  };
}

function kindOf({ apiVersion, kind: name }: KubeObject): Kind {
  const known: readonly Kind<KubeObject>[] = [...allKinds, ingressKind, ingressClassKind, serviceKind];
  const found = known.find((kind) => kind.kind === name);
  if (!found) throw new Error(`no story knows ${apiVersion ?? ''} ${name ?? ''}`);
  const { group, version, kind, plural, scope } = found;
  return { group, version, kind, plural, scope };
}

type Told = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

export async function readyOf(stage: Stage, kind: Kind<KubeObject>, ref: ObjectRef): Promise<Condition | undefined> {
  const found: Told | undefined = await stage.get(kind, ref);
  return getCondition<Condition>(found?.status?.conditions, 'Ready');
}

export async function untilReady(stage: Stage, kind: Kind<KubeObject>, ...refs: readonly ObjectRef[]): Promise<void> {
  for (const ref of refs) {
    await stage.until(`${kind.kind} ${ref.name} is ready`, async () => {
      const ready = await readyOf(stage, kind, ref);
      return ready?.status === 'True' && ready.observedGeneration === (await stage.get(kind, ref))?.metadata.generation;
    });
  }
}

export async function untilGone(stage: Stage, kind: Kind<KubeObject>, ...refs: readonly ObjectRef[]): Promise<void> {
  for (const ref of refs) await stage.delete(kind, ref);
  for (const ref of refs) {
    await stage.until(`${kind.kind} ${ref.name} is gone`, async () => (await stage.get(kind, ref)) === undefined);
  }
}
