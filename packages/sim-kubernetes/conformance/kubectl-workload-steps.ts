import { from, step } from './kubectl-step.ts';
import type { KubectlStep } from './kubectl-step.ts';

const deployment = (name: string, image: string, replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: NS}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "${image}"}]}
`;
const map = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared, namespace: NS}\ndata: {key: "${value}"}\n`;
const ready = ['wait', '--timeout=10s'];
const counted = (name: string, field: string, value: number): KubectlStep => ({
  args: [...ready, `--for=jsonpath={.status.${field}}=${value}`, `deployment/${name}`],
});
const seenBy = (name: string, generation: number): KubectlStep => counted(name, 'observedGeneration', generation);
const gone = (name: string): KubectlStep => step(`wait --for=delete pod -l app=${name} --timeout=15s`);

const apply: readonly KubectlStep[] = [
  step('create namespace NS'),
  from('apply --server-side', map('one')),
  from('apply --server-side', map('one')),
  from('apply --server-side --field-manager=other', map('two')),
  from('apply --server-side --field-manager=other --force-conflicts', map('two')),
  from('diff --server-side', map('three')),
  step('get configmap shared -o yaml --show-managed-fields=true'),
  from('apply', map('four')),
  from('apply --server-side --force-conflicts', map('five')),
  step('get configmap shared -o jsonpath={.data}'),
  from('apply --server-side --dry-run=server', map('six')),
];

// There are no kubelets: pods are there, and never ready.
const rollouts: readonly KubectlStep[] = [
  from('apply', deployment('none', 'nginx:1', 0)),
  step('rollout status deployment/none --timeout=15s'),
  step('get deployment none'),
  from('apply', deployment('web', 'nginx:1', 2)),
  counted('web', 'updatedReplicas', 2),
  step('rollout status deployment/web --timeout=2s'),
  step('get deployment web'),
  step('get deployment web -o wide'),
  step('get replicasets -l app=web'),
  step('get pods -l app=web --no-headers'),
  step('scale deployment web --replicas=3'),
  counted('web', 'updatedReplicas', 3),
  step('scale deployment web --current-replicas=7 --replicas=1'),
  step('get deployment web'),
  step('scale deployment web --replicas=1'),
  counted('web', 'replicas', 1),
  step('rollout history deployment/web'),
  step('set image deployment/web main=nginx:2'),
  seenBy('web', 4),
  counted('web', 'replicas', 2),
  step('rollout history deployment/web'),
  step('rollout undo deployment/web'),
  seenBy('web', 5),
  step('rollout history deployment/web'),
  step('rollout pause deployment/web'),
  step('rollout status deployment/web --timeout=1s'),
  step('rollout resume deployment/web'),
  step('rollout undo deployment/web --to-revision=77'),
  step('describe deployment none'),
  step('wait --for=condition=Available deployment/none --timeout=5s'),
];

const cascades: readonly KubectlStep[] = [
  ...['background', 'foreground', 'orphan'].flatMap((way): readonly KubectlStep[] => [
    from('apply', deployment(way, 'nginx:1', 1)),
    counted(way, 'replicas', 1),
    step(`delete deployment ${way} --cascade=${way} --timeout=20s`),
    ...(way === 'orphan' ? [] : [gone(way)]),
    step(`get replicasets -l app=${way} -o jsonpath={.items[*].metadata.ownerReferences}`),
    step(`get pods -l app=${way} --no-headers`),
  ]),
  step('delete namespace NS'),
];

export const kubectlWorkloadSteps: readonly KubectlStep[] = [...apply, ...rollouts, ...cascades];
