import { from, step } from './kubectl-step.ts';
import type { KubectlStep } from './kubectl-step.ts';

const list = (value: string): string =>
  `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: listed}, data: {key: "${value}"}}\n- {apiVersion: v1, kind: Secret, metadata: {name: listed}, stringData: {key: "${value}"}}\n`;
const scaler = `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: nobody}\n  minReplicas: 2\n  maxReplicas: 5\n`;
const budget = `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: guarded}\nspec: {minAvailable: 1, selector: {matchLabels: {app: nobody}}}\n`;
const policy = `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: policy.CRD}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}\n  validations: [{expression: "object.metadata.name != 'never'", message: never}]\n`;

/** Kinds of the cluster itself, lists in one file, and levels of security. */
export const kubectlClusterSteps: readonly KubectlStep[] = [
  from('apply', list('1')),
  from('apply', list('2')),
  from('apply', list('2')),
  from('diff', list('3')),
  from('delete', list('3')),
  step('explain deployment.spec.strategy --output=plaintext-openapiv2', { compare: 'exit' }),
  from('apply', scaler),
  step('get hpa'),
  step('delete hpa web'),
  from('apply', budget),
  step('get pdb'),
  step('delete pdb guarded'),
  from('apply', policy),
  step('get validatingadmissionpolicy policy.CRD'),
  step('delete validatingadmissionpolicy policy.CRD'),
  step('get apiservice v1.apps v1.'),
  step('get servicecidr kubernetes'),
  step('get runtimeclass,vac'),
  step('label namespace NS pod-security.kubernetes.io/enforce=restricted'),
  step('run risky --image=nginx --dry-run=server'),
  step('create deployment risky --image=nginx --dry-run=server -o name'),
  step('label namespace NS pod-security.kubernetes.io/enforce=odd --overwrite'),
  step('label namespace NS pod-security.kubernetes.io/enforce-'),
];
