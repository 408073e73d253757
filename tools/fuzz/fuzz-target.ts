import type fc from 'fast-check';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A kind that requests are made up for. */
export type FuzzTarget = {
  readonly name: string;
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly names: readonly string[];
  readonly subresources: readonly string[];
  /** Objects that the server takes, without their name. */
  readonly objects: fc.Arbitrary<JsonObject>;
  /** Other targets need objects of this one: it is never deleted as a whole. */
  readonly holdsOthers?: boolean;
};
