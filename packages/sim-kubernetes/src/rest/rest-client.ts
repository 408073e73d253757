import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { ObjectName, ResourceId } from '../storage/store.ts';

export type RestWriteOptions = {
  /** Empty or absent: the object itself. */
  readonly subresource?: string;
  readonly dryRun?: boolean;
  /** The server changes the object on its own account: nobody comes to own what changes. */
  readonly untracked?: boolean;
};

export type RestDeleteOptions = {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun?: boolean;
  /** Nobody is asked: what leads to the deletion was admitted already. */
  readonly admitted?: boolean;
};

/**
 * The server's own client: the same steps as a request over HTTP (admission, defaults, validation, events), without
 * HTTP. Objects have the form of the storage version. Reads are synchronous; writes reject with an ApiError.
 */
export type RestClient = {
  readonly get: (resource: ResourceId, ref: ObjectName) => StoredObject | undefined;
  readonly list: (resource: ResourceId, namespace?: string) => readonly StoredObject[];
  readonly create: (resource: ResourceId, object: JsonObject, options?: RestWriteOptions) => Promise<StoredObject>;
  readonly update: (resource: ResourceId, object: JsonObject, options?: RestWriteOptions) => Promise<StoredObject>;
  /**
   * Reads, lets `change` edit a private copy, writes; again when another writer was faster. Return false from
   * `change` to leave the object alone. A missing object is a 404.
   */
  readonly change: (
    resource: ResourceId,
    ref: ObjectName,
    change: (draft: Draft) => void | boolean,
    options?: RestWriteOptions,
  ) => Promise<StoredObject>;
  /** The object as it lives on, or as it was when it was removed. */
  readonly delete: (resource: ResourceId, ref: ObjectName, options?: RestDeleteOptions) => Promise<StoredObject>;
};
