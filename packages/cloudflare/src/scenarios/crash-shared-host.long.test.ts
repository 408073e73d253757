import type { KubeObject } from '@tributary/runtime';
import { applying, deleting, describeCrashes } from './testing/crash-lives.ts';
import type { Life } from './testing/crash-lives.ts';
import { domain } from './testing/crash-objects.ts';
import { clusterTunnel, ingress, ingressClass, service } from './testing/ingress-objects.ts';

const part = (name: string): KubeObject => ingress(name, { host: 'shop.example.com', path: `/${name}` });

const sharedHost: Life = {
  name: 'two Ingresses with one host',
  prepare: applying(
    domain('example.com'),
    clusterTunnel(),
    ...ingressClass('cloudflare', { dnsManagement: 'Automatic' }),
    service('web'),
  ),
  steps: [applying(part('cart')), applying(part('blog')), deleting(part('cart')), deleting(part('blog'))],
};

describeCrashes([sharedHost]);
