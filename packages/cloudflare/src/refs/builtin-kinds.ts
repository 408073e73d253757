import { defineKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';

// Kinds that are not ours, with the fields that we read.

export type LoadBalancerStatus = {
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
};

export type Service = KubeObject & {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly ports?: readonly {
      readonly name?: string;
      readonly port: number;
      readonly protocol?: string;
      readonly appProtocol?: string;
    }[];
  };
  readonly status?: { readonly loadBalancer?: LoadBalancerStatus };
};

export type Node = KubeObject & {
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
};

const core = { group: '', version: 'v1' } as const;

export const serviceKind = defineKind<Service>({ ...core, kind: 'Service', plural: 'services', scope: 'Namespaced' });
export const nodeKind = defineKind<Node>({ ...core, kind: 'Node', plural: 'nodes', scope: 'Cluster' });
