import type { UserInfo } from '../registry/admission.ts';
import { pathNotFound } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import type { UpdateSubresource } from '../registry/subresource.ts';
import type { ObjectName, ResourceId } from '../storage/store.ts';
import { createObject } from './create-object.ts';
import { deleteObject } from './delete-object.ts';
import type { DeleteOptions } from './delete-options.ts';
import { metadataOf } from './object-metadata.ts';
import { withoutManagers } from './record-manager.ts';
import type { RestClient, RestDeleteOptions, RestWriteOptions } from './rest-client.ts';
import type { RestDeps, WriteContext, WriteTarget } from './rest-deps.ts';
import { shapeObject } from './shape-object.ts';
import { updateObject } from './update-object.ts';

const system: UserInfo = { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** The client for what runs beside the server. `program` is the manager of what it writes. */
export function createRestClient(deps: RestDeps, program = 'kube-apiserver'): RestClient {
  const contextOf = (options: RestWriteOptions): WriteContext => toContext(options, program);
  const change: RestClient['change'] = async (resource, ref, edit, options = {}) => {
    const at = targetOf(deps, resource, ref, options);
    const next = (current: StoredObject): Draft | undefined => {
      const draft = cloneJson(options.untracked === true ? current : withoutManagers(current)) as Draft;
      if (edit(draft) === false) return undefined;
      shapeObject(deps, at.type, draft, contextOf(options), []);
      return draft;
    };
    const subresource = updateSubresourceOf(deps, at);
    return (await updateObject(deps, at, { next, subresource }, contextOf(options))).object;
  };
  return {
    get: (resource, ref) => deps.store.get(resource, ref),
    list: (resource, namespace) => deps.store.list(resource, namespace),
    create: async (resource, object, options = {}) => {
      const draft = cloneJson(object) as Draft;
      const { namespace } = metadataOf(draft);
      const at = targetOf(deps, resource, { namespace, name: '' }, options);
      shapeObject(deps, at.type, draft, contextOf(options), []);
      return createObject(deps, at, draft, contextOf(options));
    },
    update: async (resource, object, options = {}) => {
      const { namespace, name = '' } = metadataOf(object);
      const replace = (draft: Draft): void => {
        for (const key of Object.keys(draft)) delete draft[key];
        Object.assign(draft, cloneJson(object));
      };
      return change(resource, { namespace, name }, replace, options);
    },
    change,
    delete: async (resource, ref, options = {}) => {
      const context = contextOf({ dryRun: options.dryRun ?? false });
      const asked = options.admitted === true ? { ...deps, admission: [] } : deps;
      return (await deleteObject(asked, targetOf(deps, resource, ref, {}), toDeleteOptions(options), context)).object;
    },
  };
}

function targetOf(deps: RestDeps, resource: ResourceId, ref: ObjectName, options: RestWriteOptions): WriteTarget {
  const type = deps.registry.storageType(resource.group, resource.plural);
  if (type === undefined) throw pathNotFound();
  return { type, namespace: ref.namespace, name: ref.name, subresource: options.subresource ?? '' };
}

export function updateSubresourceOf(deps: RestDeps, { type, subresource }: WriteTarget): UpdateSubresource | undefined {
  const handler = deps.registry.subresource(type.group, type.plural, subresource);
  return handler?.form === 'update' ? handler : undefined;
}

function toDeleteOptions(options: RestDeleteOptions): DeleteOptions {
  const { gracePeriodSeconds, propagationPolicy, uid, resourceVersion } = options;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    preconditions,
  };
}

function toContext({ dryRun = false, untracked = false }: RestWriteOptions, fieldManager: string): WriteContext {
  return { dryRun, fieldManager, untracked, fieldValidation: 'Ignore', user: system, warn: () => undefined };
}
