import { defineKind } from './kind.ts';
import type { KubeObject } from './object.ts';

// Kinds that nearly every operator touches, so that nobody has to spell them out again.

type Texts = Readonly<Record<string, string>>;

export type ConfigMap = KubeObject & {
  readonly data?: Texts;
  readonly binaryData?: Texts;
  readonly immutable?: boolean;
};
/** `data` is base64, `stringData` is plain and never read back. */
export type Secret = KubeObject & {
  readonly type?: string;
  readonly data?: Texts;
  readonly stringData?: Texts;
  readonly immutable?: boolean;
};

const core = { group: '', version: 'v1' } as const;

export const configMapKind = defineKind<ConfigMap>({
  ...core,
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});

export const secretKind = defineKind<Secret>({ ...core, kind: 'Secret', plural: 'secrets', scope: 'Namespaced' });

export const namespaceKind = defineKind({
  ...core,
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});

export const crdKind = defineKind({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});
