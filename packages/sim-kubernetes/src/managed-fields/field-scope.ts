import type { Draft } from '../registry/json.ts';
import type { FieldFilter } from './reset-fields.ts';
import type { MergeType } from './merge-type.ts';

/** An object in one version, with the type that says how its fields are owned. */
export type Typed = { readonly value: unknown; readonly type: MergeType };

/** One kind of object in the version of a request, as the rules of ownership see it. */
export type FieldScope = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresource: string;
  readonly type: MergeType;
  /** Whether the schema may be another than when the managers were recorded. */
  readonly changeable: boolean;
  /** A new object before anyone has set anything in it. */
  readonly empty: unknown;
  readonly filterFor: (apiVersion: string) => FieldFilter;
  /** The type in another version; `undefined` when that is not served. */
  readonly typeAt: (apiVersion: string) => MergeType | undefined;
  /** An object in another version, which must be one that `typeAt` knows. */
  readonly convert: (object: Draft, apiVersion: string) => Draft | Promise<Draft>;
};
