import { defineKind } from '../../kind.ts';
import type { KubeObject } from '../../object.ts';

/** A ConfigMap in which each replica has an entry of its own: `term/count/time`. */
export type Ledger = KubeObject & { readonly data?: Readonly<Record<string, string>> };

export const ledgers = defineKind<Ledger>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
