import { isAlreadyExists, isNotFound, isOperatorError, keyOf, metadataPatch, secretKind } from '@tributary/runtime';
import type { EventRecorder, KubeClient, KubeObject, ObjectRef } from '@tributary/runtime';
import type { Committer } from '../l3-core/committer.ts';
import type { SourceRef } from '../l4-state/source.ts';
import { adoptChild } from './children.ts';
import type { AnyContributor } from './contributor.ts';
import { ownerOf, sourceRefOf } from './plan-object.ts';
import type { Step, StepProblem } from './step.ts';

export type PerformDeps = {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'patch' | 'patchStatus' | 'delete'>;
  readonly committer: Pick<Committer, 'register' | 'unregister' | 'orphan'>;
  readonly contributor: AnyContributor;
  /** Nothing on replicas that do not lead: what there is to tell is told once. */
  readonly events: Pick<EventRecorder, 'record'> | undefined;
  readonly signal: AbortSignal;
};

/** Makes the writes of a plan, one after the other; edits of SyncStates together. Ends at the first problem. */
export async function perform(
  steps: readonly Step[],
  subject: { readonly object: KubeObject | undefined; readonly ref: SourceRef },
  deps: PerformDeps,
): Promise<StepProblem | undefined> {
  let { object } = subject;
  const edits = steps.filter(isEdit);
  for (const step of steps.filter((each) => !isEdit(each))) {
    if (step.do === 'set-finalizers' || step.do === 'annotate') object = await writeMetadata(step, object, deps);
    else if (object) {
      const problem = await performOne(step, object, deps);
      if (problem) return problem;
    }
  }
  return performEdits(edits, subject.ref, object, deps);
}

type Edit = Extract<Step, { readonly do: 'register' | 'unregister' | 'orphan' }>;
type Metadata = Extract<Step, { readonly do: 'set-finalizers' | 'annotate' }>;
type Other = Exclude<Step, Edit | Metadata>;

function isEdit(step: Step): step is Edit {
  return step.do === 'register' || step.do === 'unregister' || step.do === 'orphan';
}

async function writeMetadata(
  step: Metadata,
  object: KubeObject | undefined,
  { client, contributor, signal }: PerformDeps,
): Promise<KubeObject | undefined> {
  if (!object) return undefined;
  const change = step.do === 'annotate' ? { annotations: step.annotations } : { finalizers: step.finalizers };
  const patch = metadataPatch(object, change);
  if (!patch) return object;
  try {
    return await client.patch(contributor.kind, refOf(object), patch, { signal });
  } catch (error) {
    // Whoever was faster took its last finalizer, and the object with it.
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function performEdits(
  edits: readonly Edit[],
  ref: SourceRef,
  object: KubeObject | undefined,
  { committer, contributor, signal }: PerformDeps,
): Promise<StepProblem | undefined> {
  const run = async (edit: Edit): Promise<void> => {
    if (edit.do === 'unregister') return committer.unregister(edit.syncState, ref, signal);
    if (edit.do === 'orphan') return committer.orphan(edit.syncState, ref, signal);
    if (object) await committer.register(edit.contribution, ownerOf(contributor.kind, object), signal);
  };
  try {
    await Promise.all(edits.map(run));
    return undefined;
  } catch (error) {
    if (isOperatorError(error) && error.code === 'syncstate/source-too-large') {
      return { reason: 'TooLarge', message: error.message };
    }
    throw error;
  }
}

async function performOne(step: Other, object: KubeObject, deps: PerformDeps): Promise<StepProblem | undefined> {
  const { client, contributor, events, signal } = deps;
  switch (step.do) {
    case 'create-child':
      return createChild(step, object, deps);
    case 'patch-child':
      await client.patch(step.kind, step.ref, { type: 'merge', body: step.body }, { signal });
      return undefined;
    case 'delete-child':
      await deleteChild(step, deps);
      return undefined;
    case 'release-secret':
      await releaseSecret(step, deps);
      return undefined;
    case 'write-status': {
      const { resourceVersion } = object.metadata;
      const body = { metadata: { resourceVersion }, status: step.patch };
      await client.patchStatus(contributor.kind, refOf(object), { type: 'merge', body }, { signal });
      return undefined;
    }
    case 'tell':
      events?.record(contributor.kind, object, step.note);
      return undefined;
    default:
      return step satisfies never;
  }
}

async function createChild(
  { kind, object: child }: Extract<Step, { readonly do: 'create-child' }>,
  object: KubeObject,
  { client, contributor, signal }: PerformDeps,
): Promise<StepProblem | undefined> {
  try {
    await client.create(kind, child, { signal });
    return undefined;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const found = await client.get(kind, refOf(child), { signal });
  const owner = { kind: contributor.kind, object, ref: sourceRefOf(contributor.kind, object) };
  const steps = adoptChild(owner, { kind, object: child }, found);
  if (!steps) {
    const message = `${kind.kind} ${keyOf(child)} exists already and is not ours: rename or remove it`;
    return { reason: 'ChildConflict', message };
  }
  for (const step of steps) {
    if (step.do === 'patch-child') await client.patch(kind, step.ref, { type: 'merge', body: step.body }, { signal });
  }
  return undefined;
}

/** Secrets are not watched for this: it is asked once in the life of an object. */
async function releaseSecret(
  { namespace, name, finalizer }: Extract<Step, { readonly do: 'release-secret' }>,
  { client, signal }: PerformDeps,
): Promise<void> {
  try {
    const secret = await client.get(secretKind, { namespace, name }, { signal });
    const finalizers = (secret.metadata.finalizers ?? []).filter((each) => each !== finalizer);
    const patch = metadataPatch(secret, { finalizers });
    if (patch) await client.patch(secretKind, { namespace, name }, patch, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function deleteChild(
  { kind, object }: Extract<Step, { readonly do: 'delete-child' }>,
  { client, signal }: PerformDeps,
): Promise<void> {
  try {
    await client.delete(kind, refOf(object), { preconditions: { uid: object.metadata.uid }, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function refOf({ metadata }: KubeObject): ObjectRef {
  const { name = '', namespace } = metadata;
  return { namespace, name };
}
