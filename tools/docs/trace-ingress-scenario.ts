// Run by trace-ingress.test.ts in a process of its own, so that its coverage is this one Ingress and nothing else.
import { createWorld } from '../../packages/cloudflare/src/testing/world.ts';

const world = await createWorld();
await world.applyCredentials();
await world.apply(`
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: ClusterTunnel
metadata: { name: web }
spec: { newTunnel: { name: web }, cloudflare: { credentialsRef: { name: main } } }
---
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: TunnelIngressClassConfig
metadata: { name: web, namespace: default }
spec: { tunnelRef: { kind: ClusterTunnel, name: web }, dnsManagement: Manual }
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: web }
spec:
  controller: cloudflare-operator.io/ingress-controller
  parameters:
    apiGroup: networking.cloudflare-operator.io
    kind: TunnelIngressClassConfig
    name: web
    namespace: default
    scope: Namespace
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, namespace: default }
spec:
  ingressClassName: web
  rules:
    - host: web.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] }
`);
const puts = (): number =>
  world.sim.journal
    .calls({ method: 'PUT', write: true })
    .filter(({ path, body }) => path.endsWith('/configurations') && JSON.stringify(body).includes('web.example.com'))
    .length;
await world.waitFor(() => puts() > 0);
await world.clock.advance(5000);
await world.stop();
process.exit(0);
