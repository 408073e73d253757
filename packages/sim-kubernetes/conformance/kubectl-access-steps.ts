import { from, step } from './kubectl-step.ts';
import type { KubectlStep } from './kubectl-step.ts';

const policy = (verb: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: reconciled, namespace: NS}\nrules: [{apiGroups: [""], resources: [configmaps], verbs: [get, ${verb}]}]\n`;

/** Who one is, what one may, acting as others, and roles. The account `robot` and the ConfigMap `applied` are there. */
export const kubectlAccessSteps: readonly KubectlStep[] = [
  step('auth whoami'),
  step('auth whoami -o yaml'),
  step('auth can-i list pods'),
  step('auth can-i get /metrics'),
  step('auth can-i list pods --as=system:serviceaccount:NS:robot'),
  step('auth can-i get /healthz --as=jane --as-group=system:authenticated -q'),
  step('auth can-i list nothings --as=jane'),
  step('auth can-i --list --as=system:serviceaccount:NS:robot', { compare: 'rows' }),
  step('auth whoami --as=jane --as-group=devs --as-uid=7'),
  step('get configmaps --as=system:serviceaccount:NS:robot'),
  step('get configmaps applied --as=jane'),
  step('get --raw /metrics --as=jane', { compare: 'exit' }),
  step('create role reader --verb=get,list --resource=configmaps'),
  step('create rolebinding reader --role=reader --serviceaccount=NS:robot'),
  step('auth can-i list configmaps --as=system:serviceaccount:NS:robot', { untilCode: 0 }),
  step('get configmaps applied -o name --as=system:serviceaccount:NS:robot'),
  step('get secrets --as=system:serviceaccount:NS:robot'),
  step('create role greater --verb=* --resource=secrets --as=system:serviceaccount:NS:robot'),
  step('create clusterrole made --verb=get --resource=pods --dry-run=server -o yaml'),
  step('create clusterrole made --verb=get --non-resource-url=/metrics --dry-run=server -o yaml'),
  step('create clusterrolebinding made --clusterrole=view --user=jane --dry-run=server -o yaml'),
  from('auth reconcile', policy('list')),
  from('auth reconcile', policy('watch')),
  step('describe role reconciled'),
  step('get role,rolebinding'),
  step('describe clusterrole system:discovery'),
  step('describe clusterrolebinding cluster-admin'),
  step('get clusterrole view cluster-admin'),
  step('create token robot --duration=5s'),
  step('create token robot --audience=vault --duration=15m'),
  step('create token robot --bound-object-kind=Secret --bound-object-name=none'),
];
