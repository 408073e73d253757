import { ApiError, badRequest, conflict, notFound } from '../../registry/api-error.ts';
import type { Draft } from '../../registry/json.ts';
import type {
  CallSubresource,
  SubresourceAnswer,
  SubresourceCall,
  UpdateSubresource,
} from '../../registry/subresource.ts';
import type { RestClient } from '../../rest/rest-client.ts';
import type { ObjectName } from '../../storage/store.ts';
import { child, ensureChild, items, text, textMap } from '../draft-fields.ts';
import { setPodCondition } from './pod-conditions.ts';

const pods = { group: '', plural: 'pods' };
const assignment = 'assignment';

/** What a create of a subresource answers when there is nothing to show. */
export const created: SubresourceAnswer = {
  status: 201,
  object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};

/** The one write that may change where a pod runs. It has no verbs: only `binding` comes here. */
export const podAssignment: UpdateSubresource = {
  form: 'update',
  ...pods,
  name: assignment,
  verbs: [],
  prepareForUpdate: () => undefined,
};

/** Puts a pod on a node, once. */
export const podBinding: CallSubresource = {
  form: 'call',
  ...pods,
  name: 'binding',
  verbs: ['create'],
  kind: { group: '', version: 'v1', kind: 'Binding' },
  handle: async (call) => {
    const given = text(child(call.body, 'metadata'), 'name');
    if (given !== call.name) throw badRequest('name in URL does not match name in Binding object');
    return assign(call);
  },
};

/** The older way: a Binding that names the pod. */
export const binding: CallSubresource = {
  ...podBinding,
  plural: 'bindings',
  name: '',
  handle: async (call) => {
    const name = text(child(call.body, 'metadata'), 'name');
    const parent = call.context.get('', 'pods', call.namespace, name);
    return assign({ ...call, name, parent });
  },
};

async function assign(call: SubresourceCall): Promise<SubresourceAnswer> {
  const node = checkBinding(call);
  if (call.parent === undefined) throw notFound(pods, call.name);
  const asked = child(call.body, 'metadata');
  const ref = { namespace: call.namespace, name: call.name };
  await bindPod(call.client, ref, {
    node,
    uid: text(asked, 'uid'),
    annotations: textMap(asked, 'annotations'),
    labels: textMap(asked, 'labels'),
    now: call.context.now(),
    dryRun: call.dryRun,
  });
  return created;
}

function checkBinding({ body }: SubresourceCall): string {
  const target = child(body, 'target');
  const [kind, node] = [text(target, 'kind'), text(target, 'name')];
  if (kind !== '' && kind !== 'Node') {
    const supported = 'supported values: "Node", "<empty>"';
    throw new ApiError(500, '', `target.kind: Unsupported value: ${JSON.stringify(kind)}: ${supported}`);
  }
  if (node === '') throw new ApiError(500, '', 'target.name: Required value');
  return node;
}

export type PodBinding = {
  readonly node: string;
  /** When set, the pod must be that one. */
  readonly uid?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly now: string;
  readonly dryRun?: boolean;
};

/** Assigns a pod to a node; 409 when it has one already. */
export async function bindPod(client: RestClient, ref: ObjectName, binding: PodBinding): Promise<void> {
  const change = (pod: Draft): void => bind(pod, ref.name, binding);
  await client.change(pods, ref, change, {
    subresource: assignment,
    dryRun: binding.dryRun ?? false,
    untracked: true,
  });
}

function bind(pod: Draft, name: string, { node, uid = '', annotations = {}, labels = {}, now }: PodBinding): void {
  const spec = ensureChild(pod, 'spec');
  const metadata = ensureChild(pod, 'metadata');
  const refuse = (cause: string): ApiError => conflict({ group: '', plural: 'pods/binding' }, name, cause);
  if (uid !== '' && uid !== metadata['uid']) {
    const cause = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${text(metadata, 'uid')}`;
    throw conflict(pods, name, cause);
  }
  if (metadata['deletionTimestamp'] !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (text(spec, 'nodeName') !== '') {
    throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(text(spec, 'nodeName'))}`);
  }
  if (items(spec, 'schedulingGates').length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  spec['nodeName'] = node;
  for (const [key, added] of Object.entries({ annotations, labels })) {
    if (Object.keys(added).length > 0) Object.assign(ensureChild(metadata, key), added);
  }
  const status = ensureChild(pod, 'status');
  delete status['nominatedNodeName'];
  setPodCondition(status, { type: 'PodScheduled', status: 'True' }, now);
}
