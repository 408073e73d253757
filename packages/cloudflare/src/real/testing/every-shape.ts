/** What the examples of the slice do not show: every source of addresses, every way to DNS, bindings, inline Secrets, complaints. */
export const everyShape = `
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: CloudflareDomain
metadata: { name: net }
spec:
  domain: example.net
  ssl: { mode: strict }
---
apiVersion: v1
kind: Node
metadata: { name: node-1 }
---
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: DNSRecord
metadata: { name: of-node, namespace: default }
spec:
  name: of-node
  sourceRef: { node: { name: node-1, addressType: ExternalIP } }
  cloudflare: { domain: example.net }
---
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: DNSRecord
metadata: { name: of-ingress, namespace: default }
spec:
  name: of-ingress
  sourceRef: { ingress: { name: shop } }
  cloudflare: { domain: example.net }
---
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: DNSRecord
metadata: { name: of-route, namespace: default }
spec:
  name: of-route
  sourceRef: { httpRoute: { name: shop } }
  cloudflare: { domain: example.net }
---
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: DNSRecord
metadata: { name: of-gateway, namespace: default }
spec:
  name: of-gateway
  sourceRef: { gateway: { name: shop } }
  cloudflare: { domain: example.net }
---
apiVersion: networking.cloudflare-operator.io/v1alpha1
kind: TunnelBinding
metadata: { name: bound, namespace: default }
subjects: [{ name: shop, spec: { fqdn: bound.example.com } }]
tunnelRef: { kind: ClusterTunnel, name: edge }
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: objects }
spec:
  controller: cloudflare-operator.io/ingress-controller
  parameters:
    apiGroup: networking.cloudflare-operator.io
    kind: TunnelIngressClassConfig
    name: objects
    namespace: cloudflare-operator-system
    scope: Namespace
---
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: TunnelIngressClassConfig
metadata: { name: objects, namespace: cloudflare-operator-system }
spec:
  tunnelRef: { kind: Tunnel, name: team, namespace: default }
  dnsManagement: DNSRecord
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: objects
  namespace: default
  annotations: { cloudflare.com/connect-timeout: soon }
spec:
  ingressClassName: objects
  rules:
    - host: objects.example.net
      http:
        paths: [{ path: /, pathType: Prefix, backend: { service: { name: shop, port: { number: 80 } } } }]
`;

/** The Gateway API as far as it is read here; a cluster may have it or not. */
export const gatewayApi = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gateways.gateway.networking.k8s.io
  annotations: { api-approved.kubernetes.io: "unapproved, for tests" }
spec:
  group: gateway.networking.k8s.io
  names: { kind: Gateway, listKind: GatewayList, plural: gateways, singular: gateway }
  scope: Namespaced
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: httproutes.gateway.networking.k8s.io
  annotations: { api-approved.kubernetes.io: "unapproved, for tests" }
spec:
  group: gateway.networking.k8s.io
  names: { kind: HTTPRoute, listKind: HTTPRouteList, plural: httproutes, singular: httproute }
  scope: Namespaced
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }]
`;

export const gateways = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: shop, namespace: default }
status: { addresses: [{ type: IPAddress, value: 203.0.113.40 }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop, namespace: default }
spec: { parentRefs: [{ name: shop }] }
`;

/** As users of the older version wrote them. */
export const formerTunnels = `
apiVersion: networking.cloudflare-operator.io/v1alpha1
kind: Tunnel
metadata: { name: former-tunnels, namespace: default }
spec:
  size: 3
  newTunnel: { name: former-tunnels }
  cloudflare: { domain: example.com, secret: cloudflare, accountId: a3ba695ee6a7e20473c8ea5c9ed00c0c }
---
apiVersion: networking.cloudflare-operator.io/v1alpha1
kind: ClusterTunnel
metadata: { name: former-clustertunnels }
spec:
  size: 3
  newTunnel: { name: former-clustertunnels }
  cloudflare: { domain: example.com, secret: cloudflare, accountId: a3ba695ee6a7e20473c8ea5c9ed00c0c }
`;
