import { defineKind } from '@tributary/runtime';
import type { Condition, Kind, KubeObject } from '@tributary/runtime';

// The kinds of gateway.networking.k8s.io, with the fields that we read or refuse.

export const gatewayGroup = 'gateway.networking.k8s.io';

export type GatewayClass = KubeObject & {
  readonly spec?: {
    readonly controllerName?: string;
    readonly parametersRef?: {
      readonly group: string;
      readonly kind: string;
      readonly name: string;
      readonly namespace?: string;
    };
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
};

export type LabelSelector = {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
};

export type CertificateRef = {
  readonly group?: string;
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
};

export type Listener = {
  readonly name: string;
  readonly hostname?: string;
  readonly port: number;
  readonly protocol: string;
  readonly tls?: {
    readonly mode?: string;
    readonly certificateRefs?: readonly CertificateRef[];
    readonly frontendValidation?: object;
  };
  readonly allowedRoutes?: {
    readonly namespaces?: { readonly from?: string; readonly selector?: LabelSelector };
    readonly kinds?: readonly { readonly group?: string; readonly kind: string }[];
  };
};

export type ListenerStatus = {
  readonly name: string;
  readonly supportedKinds?: readonly { readonly group: string; readonly kind: string }[];
  readonly attachedRoutes: number;
  readonly conditions?: readonly Condition[];
};

export type GatewayAddress = { readonly type?: string; readonly value?: string };

export type Gateway = KubeObject & {
  readonly spec?: {
    readonly gatewayClassName?: string;
    readonly listeners?: readonly Listener[];
    readonly addresses?: readonly GatewayAddress[];
    readonly infrastructure?: {
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
      readonly parametersRef?: object;
    };
    /** Of the experimental channel. */
    readonly tls?: object;
    readonly backendTLS?: object;
  };
  readonly status?: {
    readonly addresses?: readonly { readonly type?: string; readonly value: string }[];
    readonly conditions?: readonly Condition[];
    readonly listeners?: readonly ListenerStatus[];
  };
};

export type ParentRef = {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly sectionName?: string;
  readonly port?: number;
};

export type ParentStatus = {
  readonly parentRef: ParentRef;
  readonly controllerName: string;
  readonly conditions?: readonly Condition[];
};

export type Filter = {
  readonly type: string;
  readonly urlRewrite?: { readonly hostname?: string; readonly path?: object };
};

export type BackendRef = {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly port?: number;
  readonly weight?: number;
  readonly filters?: readonly Filter[];
};

export type Route<R = unknown> = KubeObject & {
  readonly spec?: {
    readonly parentRefs?: readonly ParentRef[];
    readonly hostnames?: readonly string[];
    readonly rules?: readonly R[];
    /** Of the experimental channel. */
    readonly useDefaultGateways?: string;
  };
  readonly status?: { readonly parents?: readonly ParentStatus[] };
};

type BackendRule = { readonly backendRefs?: readonly BackendRef[] };
type RequestRule = BackendRule & {
  readonly filters?: readonly Filter[];
  readonly timeouts?: object;
  readonly retry?: object;
  readonly sessionPersistence?: object;
};
export type HttpRule = RequestRule & {
  readonly matches?: readonly {
    readonly path?: { readonly type?: string; readonly value?: string };
    readonly headers?: readonly object[];
    readonly queryParams?: readonly object[];
    readonly method?: string;
  }[];
};
export type GrpcRule = RequestRule & {
  readonly matches?: readonly {
    readonly method?: { readonly type?: string; readonly service?: string; readonly method?: string };
    readonly headers?: readonly object[];
  }[];
};
export type HttpRoute = Route<HttpRule>;
export type GrpcRoute = Route<GrpcRule>;
/** TCPRoute and UDPRoute. */
export type StreamRoute = Route<BackendRule>;

export type ReferenceGrant = KubeObject & {
  readonly spec?: {
    readonly from?: readonly { readonly group: string; readonly kind: string; readonly namespace: string }[];
    readonly to?: readonly { readonly group: string; readonly kind: string; readonly name?: string }[];
  };
};

export const gatewayClassKind = defineKind<GatewayClass>({
  group: gatewayGroup,
  version: 'v1',
  kind: 'GatewayClass',
  plural: 'gatewayclasses',
  scope: 'Cluster',
});

function namespaced<T extends KubeObject>(kind: string, plural: string, version = 'v1'): Kind<T> {
  return defineKind<T>({ group: gatewayGroup, version, kind, plural, scope: 'Namespaced' });
}

export const gatewayKind = namespaced<Gateway>('Gateway', 'gateways');
export const httpRouteKind = namespaced<HttpRoute>('HTTPRoute', 'httproutes');
export const grpcRouteKind = namespaced<GrpcRoute>('GRPCRoute', 'grpcroutes');
export const tcpRouteKind = namespaced<StreamRoute>('TCPRoute', 'tcproutes', 'v1alpha2');
export const udpRouteKind = namespaced<StreamRoute>('UDPRoute', 'udproutes', 'v1alpha2');
export const referenceGrantKind = namespaced<ReferenceGrant>('ReferenceGrant', 'referencegrants', 'v1beta1');
