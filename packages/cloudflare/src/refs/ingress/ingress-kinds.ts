import { defineKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';

// The kinds of networking.k8s.io, with the fields that we read.

export type IngressBackend = {
  readonly service?: {
    readonly name: string;
    readonly port?: { readonly number?: number; readonly name?: string };
  };
  readonly resource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
};

export type IngressPath = {
  readonly path?: string;
  readonly pathType?: 'Exact' | 'Prefix' | 'ImplementationSpecific';
  readonly backend: IngressBackend;
};

export type Ingress = KubeObject & {
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: IngressBackend;
    readonly rules?: readonly { readonly host?: string; readonly http?: { readonly paths?: readonly IngressPath[] } }[];
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly hostname?: string; readonly ip?: string }[] };
  };
};

export type IngressClass = KubeObject & {
  readonly spec?: {
    readonly controller?: string;
    readonly parameters?: {
      readonly apiGroup?: string;
      readonly kind: string;
      readonly name: string;
      readonly namespace?: string;
    };
  };
};

const networking = { group: 'networking.k8s.io', version: 'v1' } as const;

export const ingressKind = defineKind<Ingress>({
  ...networking,
  kind: 'Ingress',
  plural: 'ingresses',
  scope: 'Namespaced',
});
export const ingressClassKind = defineKind<IngressClass>({
  ...networking,
  kind: 'IngressClass',
  plural: 'ingressclasses',
  scope: 'Cluster',
});
