import { apiVersionOf } from '../kind.ts';
import type { Kind } from '../kind.ts';
import type { KubeObject } from '../object.ts';
import { deepFreeze } from './deep-freeze.ts';
import { stripManagedFields } from './strip-managed-fields.ts';

export type PreparationOptions<T extends KubeObject> = {
  readonly kind: Kind<T>;
  /** What to keep of an object; managed fields are dropped when absent. It may change the object it is given. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Freeze what is stored, to find who changes it. For tests: it costs some microseconds per object. */
  readonly freeze?: boolean | undefined;
  /** A listener, index function or transform threw. */
  readonly onListenerError: (error: unknown) => void;
};

type Mutable = { apiVersion?: string; kind?: string; metadata: { namespace?: string } };

/** What is done to an object on its way into the store: transform, the strings that all objects share, freezing. */
export function createPreparation<T extends KubeObject>(options: PreparationOptions<T>): (raw: T) => T {
  const apiVersion = apiVersionOf(options.kind);
  const { kind } = options.kind;
  const transform = options.transform ?? stripManagedFields;
  const namespaces = new Map<string, string>();

  /** Each parsed object brings its own copy of these; one copy for all saves some 100 bytes per object. */
  const share = (object: T): T => {
    const mutable = object as unknown as Mutable;
    const { namespace } = object.metadata;
    if (namespace !== undefined) {
      const shared = namespaces.get(namespace);
      if (shared === undefined) namespaces.set(namespace, namespace);
      else mutable.metadata.namespace = shared;
    }
    // The items of a list of a built-in kind do not say what they are; watch events do.
    if (object.apiVersion === undefined || object.kind === undefined) return { ...object, apiVersion, kind };
    if (object.apiVersion === apiVersion) mutable.apiVersion = apiVersion;
    if (object.kind === kind) mutable.kind = kind;
    return object;
  };

  return (raw) => {
    let object = raw;
    try {
      object = transform(raw);
    } catch (error) {
      options.onListenerError(error);
    }
    object = share(object);
    return options.freeze ? deepFreeze(object) : object;
  };
}
