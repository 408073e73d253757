import { applying, deleting, describeCrashes } from './testing/crash-lives.ts';
import type { Life } from './testing/crash-lives.ts';
import { domain } from './testing/crash-objects.ts';
import { clusterTunnel, ingress, ingressClass, service } from './testing/ingress-objects.ts';

const lives = ['Manual', 'Automatic', 'DNSRecord'].map((dnsManagement): Life => ({
  name: `an Ingress with DNS ${dnsManagement}`,
  prepare: applying(
    domain('example.com'),
    clusterTunnel(),
    ...ingressClass('cloudflare', { dnsManagement }),
    service('web'),
  ),
  steps: [applying(ingress('app')), applying(ingress('app', { host: 'moved.example.com' })), deleting(ingress('app'))],
}));

describeCrashes(lives);
