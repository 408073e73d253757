import { kubectlAccessSteps } from './kubectl-access-steps.ts';
import { kubectlClusterSteps } from './kubectl-cluster-steps.ts';
import { from, step } from './kubectl-step.ts';
import type { KubectlStep } from './kubectl-step.ts';

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: brooks.CRD
spec:
  group: CRD
  scope: Namespaced
  names: {plural: brooks, singular: brook, kind: Brook, listKind: BrookList, shortNames: [bk], categories: [kubectl-waters]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    additionalPrinterColumns:
    - {name: Depth, type: integer, jsonPath: .spec.depth}
    - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
    - {name: Note, type: string, jsonPath: .spec.note, priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        description: A small river.
        properties:
          spec:
            type: object
            required: [depth]
            properties:
              depth: {type: integer, minimum: 0, description: How deep.}
              replicas: {type: integer, default: 1}
              note: {type: string, enum: [calm, wild]}
              banks: {type: array, items: {type: object, properties: {side: {type: string}}}}
          status:
            type: object
            properties:
              replicas: {type: integer}
              conditions:
                type: array
                items: {type: object, properties: {type: {type: string}, status: {type: string}, lastTransitionTime: {type: string, format: date-time}}}
`;
const brook = (depth: number | string, more = ''): string =>
  `apiVersion: CRD/v1\nkind: Brook\nmetadata: {name: elbe, labels: {sea: north}}\nspec: {depth: ${depth}${more}}\n`;
const configMap = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied, labels: {app: web}}\ndata: {key: "${value}"}\n`;
const deployment = (image: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {app: web}}\nspec:\n  replicas: 0\n  paused: true\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers: [{name: main, image: ${image}, ports: [{containerPort: 80}]}]\n`;

const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: single, labels: {app: web}}\nspec:\n  containers: [{name: main, image: "nginx:1", resources: {requests: {cpu: 100m}}}]\n`;
// Updates only on deletion, so there is no rollout whose status could be told.
const daemonSet = `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent}\nspec:\n  updateStrategy: {type: OnDelete}\n  selector: {matchLabels: {app: agent}}\n  template:\n    metadata: {labels: {app: agent}}\n    spec:\n      containers: [{name: main, image: "nginx:1"}]\n`;

// Without a selector, so that no controller of the real control plane makes endpoints for it.
// By chance the real server looks at the address of a new Service before it has noted it down, and says so in an Event.
const withoutRepairs = step('delete events --field-selector reason=ClusterIPNotAllocated', { compare: 'exit' });
const service = `apiVersion: v1\nkind: Service\nmetadata: {name: bare}\nspec: {ports: [{port: 80}]}\n`;

const createAndApply: readonly KubectlStep[] = [
  step('create namespace NS'),
  step('create namespace NS'),
  step('create configmap literal --from-literal=a=1 --from-literal=b=zwei'),
  step('create secret generic literal --from-literal=user=u --from-literal=password=p'),
  step('create serviceaccount robot'),
  from('create', configMap('one').replace('applied', 'created')),
  from('create', configMap('one').replace('applied', 'created')),
  from('apply', configMap('one')),
  from('apply', configMap('one')),
  from('diff', configMap('two')),
  from('apply', configMap('two')),
  from('diff', configMap('two')),
  from('apply --dry-run=server', configMap('three')),
  from('apply', `${configMap('x')}unknown: 1\n`),
  from('replace', configMap('replaced')),
  from('apply', crd),
  step('wait --for=condition=Established crd/brooks.CRD --timeout=20s'),
  { ...from('apply', brook(3)), untilCode: 0 },
  from('apply', brook(3)),
  from('diff', brook(4, ', note: calm')),
  from('apply', brook(4, ', note: calm')),
  from('apply', brook('"deep"')),
  from('apply', brook(-1)),
  from('apply', brook(5, ', unknown: 1')),
  from('apply', deployment('nginx:1')),
  from('apply', deployment('nginx:2')),
  from('apply', deployment('nginx:2')),
  from('apply', pod),
  from('apply', pod),
  from('apply', daemonSet),
  from('apply', service),
  step('create service clusterip web --tcp=80:8080'),
  step('create deployment made --image=nginx --replicas=2 --dry-run=server -o yaml'),
  step('create job made --image=busybox --dry-run=server -o name -- date'),
  step('create quota made --hard=pods=3 --dry-run=server -o yaml'),
  step('create role made --verb=get,list --resource=pods --dry-run=server -o yaml'),
  step('create rolebinding made --role=made --serviceaccount=NS:robot --dry-run=server -o yaml'),
  step('create ingress made --rule=example.com/*=web:80 --dry-run=server -o yaml'),
  step('create priorityclass made --value=7 --dry-run=server -o yaml'),
  step('create poddisruptionbudget made --selector=app=web --min-available=1 --dry-run=server -o yaml'),
  step('create configmap literal --from-literal=a=1 --dry-run=client -o yaml'),
];

const outputs = [
  '-o wide',
  '-o name',
  '-o yaml',
  '-o json',
  '-o jsonpath={.metadata.labels}',
  '-o custom-columns=N:.metadata.name,L:.metadata.labels',
  '--show-labels',
  '--no-headers',
  '-L app',
];
const getAndDescribe: readonly KubectlStep[] = [
  ...[
    'configmap applied',
    'brooks.CRD elbe',
    'secret literal',
    'serviceaccount robot',
    'pod single',
    'service web',
  ].flatMap((what) => ['', ...outputs].map((output) => step(`get ${what} ${output}`.trim()))),
  // The controller of the real control plane writes the status of a Deployment; its cells are the same.
  ...['', '-o wide', '-o name', '--show-labels', '-o jsonpath={.spec}'].map((output) =>
    step(`get deployment web ${output}`.trim()),
  ),
  ...[
    'configmaps',
    'bk',
    'deployments',
    'all',
    'kubectl-waters',
    'configmaps,secrets',
    'configmaps -l app=web',
    'configmaps --field-selector metadata.name=applied',
    'configmaps --sort-by=.metadata.name -o name',
    'crd brooks.CRD',
    'configmaps --chunk-size=1 -o name',
    'nothing',
    'configmap none',
    'namespace NS',
  ].map((what) => step(`get ${what}`)),
  withoutRepairs,
  ...[
    'configmap applied',
    'brook elbe',
    'secret literal',
    'pod single',
    'service bare',
    'namespace NS',
    'crd brooks.CRD',
    'configmap none',
  ].map((what) => step(`describe ${what}`)),
  ...[
    'brook',
    'brook.spec',
    'brook.spec --recursive',
    'brook.spec.banks.side',
    'deployment.spec',
    'pod.spec.containers',
    'pod --recursive',
    'configmap',
    'service.spec.ports',
    'ingress.spec.rules',
    'customresourcedefinition.spec',
    'nothing',
    'brook.nothing',
  ].map((what) => step(`explain ${what}`, { compare: 'fields' })),
  step('get --raw /version', { compare: 'exit' }),
  step('get --raw /healthz'),
  step('version', { compare: 'exit' }),
  step('cluster-info', { compare: 'exit' }),
];

const change: readonly KubectlStep[] = [
  { args: ['patch', 'configmap', 'applied', '--type=merge', '-p', '{"data":{"key":"merged"}}'] },
  { args: ['patch', 'configmap', 'applied', '--type=merge', '-p', '{"data":{"key":"merged"}}'] },
  { args: ['patch', 'configmap', 'applied', '--type=json', '-p', '[{"op":"add","path":"/data/more","value":"1"}]'] },
  {
    args: [
      'patch',
      'deployment',
      'web',
      '-p',
      '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}',
    ],
  },
  { args: ['patch', 'brook', 'elbe', '--type=merge', '-p', '{"spec":{"depth":9}}'] },
  { args: ['patch', 'brook', 'elbe', '-p', '{"spec":{"depth":9}}'] },
  {
    args: [
      'patch',
      'brook',
      'elbe',
      '--type=merge',
      '--subresource=status',
      '-p',
      '{"status":{"replicas":1,"conditions":[{"type":"Ready","status":"True"}]}}',
    ],
  },
  { args: ['patch', 'configmap', 'applied', '--type=json', '-p', '[{"op":"remove","path":"/data/none"}]'] },
  step('get configmap applied -o jsonpath={.data}'),
  step('get deployment web -o jsonpath={.spec.template.spec.containers[*].name}'),
  step('get brook elbe'),
  step('label configmap applied tier=front'),
  step('label configmap applied tier=front'),
  step('label configmap applied tier=back'),
  step('label configmap applied tier=back --overwrite'),
  step('label configmap applied tier-'),
  step('annotate brook elbe example.com/note=one'),
  step('annotate brook elbe example.com/note-'),
  step('scale brook elbe --replicas=4'),
  step('scale brook elbe --current-replicas=1 --replicas=5'),
  step('get brook elbe -o jsonpath={.spec.replicas}'),
  step('set image deployment/web main=nginx:3'),
  step('set env deployment/web A=1'),
  step('rollout pause deployment/web'),
  step('rollout resume deployment/none'),
  step('rollout restart deployment/web'),
  step('rollout status daemonset/agent'),
  step('rollout status deployment/none'),
  step('autoscale deployment none --min=1 --max=2', { compare: 'exit' }),
  step('wait --for=condition=Ready brook/elbe --timeout=5s'),
  step('wait --for=jsonpath={.spec.depth}=9 brook/elbe --timeout=5s'),
  step('wait --for=create configmap/applied --timeout=5s'),
  step('wait --for=condition=Ready brook/none --timeout=1s'),
  step('wait --for=jsonpath={.spec.depth}=77 brook/elbe --timeout=1s'),
  step('create token robot'),
  step('create token nobody'),
  withoutRepairs,
  step('events'),
  step('get events'),
];

const owned = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, finalizers: [example.com/hold]}\n`;
const remove: readonly KubectlStep[] = [
  step('delete configmap literal'),
  step('delete configmap literal'),
  step('delete configmap literal --ignore-not-found'),
  from('create', owned('held')),
  step('delete configmap held --wait=false'),
  step('delete configmap held --timeout=1s'),
  { args: ['patch', 'configmap', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'] },
  step('get configmap held'),
  from('create', owned('foreground').replace(', finalizers: [example.com/hold]', '')),
  step('delete configmap foreground --cascade=foreground'),
  from('create', owned('orphan').replace(', finalizers: [example.com/hold]', '')),
  step('delete configmap orphan --cascade=orphan'),
  step('delete configmaps -l app=web'),
  step('delete brook elbe --dry-run=server'),
  step('delete brook --all'),
  step('get brooks'),
  step('delete deployment web'),
  step('delete pod single'),
  step('delete crd brooks.CRD'),
  step('get brooks.CRD'),
  step('delete namespace NS'),
  step('get namespace NS'),
];

export const kubectlSteps: readonly KubectlStep[] = [
  ...createAndApply,
  ...getAndDescribe,
  ...change,
  ...kubectlAccessSteps,
  ...kubectlClusterSteps,
  ...remove,
];
