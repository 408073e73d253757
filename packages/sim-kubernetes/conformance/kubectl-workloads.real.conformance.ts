import { readdirSync, readFileSync } from 'node:fs';
import { describe } from 'vitest';
import { createDeploymentController } from '../src/actors/workloads/deployment.ts';
import { createReplicaSetController } from '../src/actors/workloads/replica-set.ts';
import { useKubectlPair } from './kit/kubectl-pair.ts';
import { step } from './kubectl-step.ts';
import type { KubectlStep } from './kubectl-step.ts';
import { kubectlWorkloadSteps } from './kubectl-workload-steps.ts';

const { compare } = useKubectlPair('workloads', {
  actors: [createDeploymentController(), createReplicaSetController()],
});

describe('kubectl with Deployments, and server-side', () => {
  compare(kubectlWorkloadSteps);
});

const folder = new URL('../../cloudflare/src/testing/testdata/gateway-api/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const gatewayCrds = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n---\n');
const official = (text: string, stdin?: string): KubectlStep => ({
  ...step(stdin === undefined ? text : `${text} -f -`),
  ...(stdin !== undefined && { stdin, verbatim: true }),
});
const gateway = (port: number): string => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: front}
spec: {gatewayClassName: any, listeners: [{name: http, protocol: HTTP, port: ${port}}]}
`;

describe('kubectl with the official CRDs of the Gateway API', () => {
  compare([
    step('create namespace NS'),
    official('apply --server-side', gatewayCrds),
    official('apply --server-side', gatewayCrds),
    step('wait --for=condition=Established crd/gateways.gateway.networking.k8s.io --timeout=20s'),
    { ...official('apply', gateway(80)), untilCode: 0 },
    official('apply', gateway(0)),
    step('get gateways'),
    step('get gatewayclasses,httproutes'),
    step('describe gateway front'),
    step('explain gateway.spec.listeners', { compare: 'fields' }),
    step('explain httproute.spec.rules --recursive', { compare: 'fields' }),
    step('delete gateway front'),
    // The real server takes its time to end a kind, on a busy machine more than a minute for all of them.
    official('delete --wait=false', gatewayCrds),
    step('delete namespace NS'),
  ]);
});
