import { annotateIn } from '../audit/audit-trail.ts';
import type { AdmissionAttributes } from '../registry/admission.ts';
import { ensureChild, text } from '../kinds/draft-fields.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import type { CallSubresource } from '../registry/subresource.ts';
import { metadataOf } from '../rest/object-metadata.ts';
import { admit } from '../rest/rest-deps.ts';
import { boolOf, parseWriteOptions } from './query-options.ts';
import type { ResourceCall, ResourceDeps } from './resource-deps.ts';
import { writeContextOf } from './resource-deps.ts';

/** Lets admission see what is asked for but never stored: bindings, evictions, tokens, reviews, connections. */
export async function admitCall(
  deps: ResourceDeps,
  call: ResourceCall,
  handler: CallSubresource,
  body: Draft | undefined,
  parent: StoredObject | undefined,
): Promise<void> {
  if (deps.rest.admission.length === 0) return;
  const attributes = attributesOf(call, handler, body);
  if (attributes === undefined) return;
  const { object, namespace } = attributes;
  if (object !== undefined && attributes.operation === 'CREATE' && namespace !== undefined) {
    const metadata = ensureChild(object, 'metadata');
    if (text(metadata, 'namespace') === '') metadata['namespace'] = namespace;
  }
  await admit(deps.rest, 'mutate', attributes);
  if (body !== undefined) handler.complete?.(body, parent, deps.rest.hooks);
  await admit(deps.rest, 'validate', attributes);
}

function attributesOf(
  call: ResourceCall,
  { kind, name: subresource }: CallSubresource,
  body: Draft | undefined,
): AdmissionAttributes | undefined {
  const { type, path, request, user, warnings } = call;
  const connects = kind.kind.endsWith('Options');
  if (!connects && (request.method !== 'POST' || body === undefined)) return undefined;
  const context = writeContextOf(call, parseWriteOptions(new URLSearchParams(), 'CreateOptions'));
  const object = connects ? connection(kind.kind, request.query) : body;
  return {
    operation: connects ? 'CONNECT' : 'CREATE',
    type,
    kind,
    subresource,
    namespace: path.namespace,
    name: path.name === '' && object !== undefined ? (metadataOf(object).name ?? '') : path.name,
    object,
    old: undefined,
    options: connects ? null : { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', ...context.asked },
    dryRun: request.query.getAll('dryRun').includes('All'),
    user,
    warn: (text) => void (warnings.includes(text) || warnings.push(text)),
    annotate: request.audit && annotateIn(request.audit),
  };
}

const switches = ['stdin', 'stdout', 'stderr', 'tty'];

/** What a connection asks for stands in the query. */
function connection(kind: string, query: URLSearchParams): Draft {
  const object: Draft = { kind, apiVersion: 'v1' };
  if (kind === 'PodExecOptions' || kind === 'PodAttachOptions') {
    for (const name of switches) if (boolOf(query, name) === true) object[name] = true;
    if (query.get('container')) object['container'] = query.get('container');
    if (kind === 'PodExecOptions') object['command'] = query.getAll('command');
  }
  if (kind === 'PodPortForwardOptions' && query.has('ports')) object['ports'] = query.getAll('ports').map(Number);
  if (kind.endsWith('ProxyOptions') && query.get('path')) object['path'] = query.get('path');
  return object;
}
