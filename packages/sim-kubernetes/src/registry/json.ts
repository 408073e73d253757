/** Plain JSON as the server stores it. Objects in the store are never changed in place. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json | undefined };

/** A private copy that its owner may change. */
export type Draft = { [key: string]: unknown };

/** A stored object: JSON with metadata. */
export type StoredObject = JsonObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMetadata;
};

export type StoredMetadata = {
  readonly [key: string]: Json | undefined;
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly finalizers?: readonly string[];
};
