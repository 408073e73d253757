import { ApiError, badRequest, notFound } from '../../registry/api-error.ts';
import type { CallSubresource, SubresourceAnswer, SubresourceCall } from '../../registry/subresource.ts';
import { child, text } from '../draft-fields.ts';

type Place = {
  readonly plural: string;
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
};

const upgrade = ['create', 'get'];
const everything = ['create', 'delete', 'get', 'patch', 'update'];

const places: readonly Place[] = [
  { plural: 'pods', name: 'attach', kind: 'PodAttachOptions', verbs: upgrade },
  { plural: 'pods', name: 'exec', kind: 'PodExecOptions', verbs: upgrade },
  { plural: 'pods', name: 'log', kind: 'Pod', verbs: ['get'] },
  { plural: 'pods', name: 'portforward', kind: 'PodPortForwardOptions', verbs: upgrade },
  { plural: 'pods', name: 'proxy', kind: 'PodProxyOptions', verbs: everything },
  { plural: 'nodes', name: 'proxy', kind: 'NodeProxyOptions', verbs: everything },
  { plural: 'services', name: 'proxy', kind: 'ServiceProxyOptions', verbs: everything },
];

/** What needs a container that really runs: listed as the real server does, and refused in plain words. */
export const refusedSubresources: readonly CallSubresource[] = places.map(({ plural, name, kind, verbs }) => ({
  form: 'call',
  group: '',
  plural,
  name,
  verbs,
  kind: { group: '', version: 'v1', kind },
  handle: async (call) => refuse(call, plural, name),
}));

function refuse({ parent, name }: SubresourceCall, plural: string, subresource: string): SubresourceAnswer {
  if (parent === undefined) throw notFound({ group: '', plural }, name);
  if (plural === 'pods' && text(child(parent, 'spec'), 'nodeName') === '') {
    if (subresource !== 'log') throw badRequest(`pod ${name} does not have a host assigned`);
    // What never ran has said nothing.
    return { response: { kind: 'body', status: 204, headers: { 'content-type': 'text/plain' }, body: '' } };
  }
  const message = `${plural}/${subresource} is not available: no containers run in this cluster`;
  throw new ApiError(501, 'NotImplemented', message);
}
