import type { Line } from './acceptance-line.ts';

const pods = 'engine/decide-pod.test.ts';
const updates = 'pod-updates.test.ts';
const translation = 'down/translate-pod.test.ts';
const redirected = 'down/translate-redirected-pod.test.ts';
const redirection = 'down/redirection.test.ts';
const changes = 'down/pod-changes.test.ts';
const status = 'up/pod-status-controller.test.ts';
const names = 'contract/names.test.ts';
const expectations = 'contract/expected-metadata.test.ts';
const references = 'down/references.test.ts';
const needs = 'engine/dependencies.test.ts';

/** Pods: how they live, which of them run, what their copies say, and what changes. */
export const acceptanceOfPods: Readonly<Record<string, readonly Line[]>> = {
  'pods: life': [
    { line: 'V pod absent: no error', in: pods, test: 'neither pod: what is left of tokens goes' },
    { line: 'deletion with a P pod', in: pods, test: 'deleted in V: the copy first' },
    { line: 'deletion without a P pod', in: pods, test: 'deleted in V, no copy: removed' },
    {
      line: 'mapping generated, then create, then uid',
      in: 'pods-down.test.ts',
      test: 'the mapping is generated, then the copy is created, then its UID is recorded',
    },
    {
      line: 'complete mapping, P pod missing: lost',
      in: status,
      test: 'without an end of its own is lost, and counted once',
    },
    {
      line: 'P pod deleted by hand with no grace: lost',
      in: 'topdown.real.test.ts',
      test: 'a pod that is deleted in P is lost in V, and its owner makes another',
    },
    { line: 'a finished pod whose copy goes', in: pods, test: 'W8: Succeeded and no copy: nothing', differs: 'W8' },
    { line: 'existing scheduled pod: nothing to do', in: pods, test: 'complete: kept up' },
    {
      line: 'other node, or none: never created',
      in: 'pods-down.test.ts',
      test: 'a pod that no node was found for, or that runs on another node, is never created',
    },
    {
      line: 'one name in two namespaces: two P names',
      in: 'pods-down.test.ts',
      test: 'pods of one name in two namespaces have copies of two names',
    },
    { line: 'stale-UID P pod: foreign is skipped', in: pods, test: 'a stranger is a conflict' },
    { line: 'stale-UID P pod: a match is kept', in: pods, test: 'created: its UID is recorded' },
    { line: 'stale-UID P pod: a mismatch is deleted', in: pods, test: 'the copy of a predecessor goes' },
    {
      line: 'not-found cleanup with empty mount namespace',
      in: 'syncer-process.test.ts',
      test: 'without a mount namespace is refused, for nobody knows where its pods are',
    },
    { line: 'not-found cleanup without P pod', in: pods, test: 'neither pod: what is left of tokens goes' },
    {
      line: 'not-found cleanup of an unlabelled P pod',
      in: pods,
      test: 'W2: no pod in V, unmarked in P: reported, not deleted',
      differs: 'W2',
    },
    {
      line: 'lookup in cache',
      in: 'down-parts.test.ts',
      test: 'is not asked for twice because P is slow to say that it is there',
    },
    { line: 'lookup directly, then none', in: 'crash.test.ts', test: 'one pod runs, and everything goes in the end' },
    {
      line: 'P delete event of ours asks for V pod',
      in: 'pods-deletion.test.ts',
      test: "the copy gets the grace of V, then V's pod goes",
    },
    {
      line: 'P delete event without our label or annotations',
      in: status,
      test: 'and nothing is done to it',
    },
    {
      line: 'P delete that nobody saw (tombstone)',
      in: 'pods-deletion.test.ts',
      test: 'a copy whose pod went while nobody looked is deleted',
    },
    {
      line: 'P found no node in five minutes',
      in: updates,
      test: 'is deleted after five minutes, and its owner is told',
    },
  ],
  'pods: which of them': [
    { line: 'DaemonSet without annotation', in: updates, test: 'do not run without the annotation' },
    { line: 'DaemonSet, annotation false', in: updates, test: 'do not run with false' },
    { line: 'DaemonSet, annotation empty', in: updates, test: 'do not run with an empty value' },
    { line: 'DaemonSet, other keys', in: updates, test: 'do not run with another key' },
    { line: 'DaemonSet with annotation', in: updates, test: 'run with the annotation' },
    { line: 'DaemonSet by default of the binding', in: updates, test: 'run where the binding says so' },
    {
      line: 'DaemonSet in a system namespace; fake pods',
      in: updates,
      test: 'in a system namespace never run, nor do other pods there or those that keep ports free',
    },
    { line: 'a DaemonSet pod that is deleted passes', in: pods, test: 'deleted in V, never run here: removed' },
  ],
  'pods: what the copy says': [
    {
      line: 'conflicting user labels overridden',
      in: translation,
      test: "labels of V are taken along, those of the syncer win over a user's",
    },
    {
      line: 'empty namespace label kept',
      in: translation,
      test: 'the label of an empty namespace is there and empty',
    },
    {
      line: 'workload of each kind, unknown ones lower-cased',
      in: 'down/copies.test.ts',
      test: 'owned by a ${kind} is that',
    },
    {
      line: 'workload: ReplicaSet of a Deployment',
      in: 'down/copies.test.ts',
      test: 'of a ReplicaSet is its Deployment',
    },
    {
      line: 'workload: ReplicaSet alone',
      in: 'down/copies.test.ts',
      test: 'of a ReplicaSet without one is the ReplicaSet',
    },
    {
      line: 'workload: ReplicaSet missing is an error',
      in: 'pods-down.test.ts',
      test: 'a pod whose ReplicaSet is not there is not created, and says so',
    },
    {
      line: 'downward API: each path, others untouched',
      in: translation,
      test: 'in the environment, in volumes and in projections',
    },
    {
      line: 'downward API: combined',
      in: translation,
      test: 'several in one list are each what they are alone',
    },
    {
      line: 'downward API: items without fieldRef or valueFrom',
      in: translation,
      test: 'items without a field are left alone',
    },
    { line: 'env: into an empty list', in: redirected, test: 'an empty environment gets three variables' },
    { line: 'env: beside existing ones', in: redirected, test: 'they come after those that are there' },
    { line: 'env: overriding', in: redirected, test: 'a value of the user is overwritten in its place' },
    { line: 'env: valueFrom', in: redirected, test: 'a reference of the user is overwritten' },
    {
      line: 'env: containers and init containers',
      in: translation,
      test: 'in environments of containers and init containers are those of the copies',
    },
    {
      line: 'env: pods of init containers alone',
      in: redirected,
      test: 'init containers get them, too, also where there are no others',
    },
    { line: 'DNSDefault untouched', in: redirected, test: '${dnsPolicy} stays as it is' },
    { line: 'intranet service missing', in: redirection, test: 'where it is required, a missing Service is an error' },
    {
      line: 'intranet service missing, nothing required',
      in: redirection,
      test: 'W13: without Services nothing is redirected',
      differs: 'W13',
    },
    { line: 'intranet service without ingress', in: redirection, test: 'a Service without an ingress is an error' },
    { line: 'intranet service with an empty IP', in: redirection, test: 'an empty address is an error' },
    { line: 'intranet service without ports', in: redirection, test: 'no port is an error' },
    { line: 'intranet service with port 0', in: redirection, test: 'port 0 is an error' },
    { line: 'missing configMap', in: needs, test: 'an object that V does not have' },
    { line: 'missing projected configMap', in: needs, test: 'a projected ConfigMap that V does not have' },
    { line: 'missing projected secret', in: needs, test: 'a projected Secret that V does not have' },
    { line: 'envFrom in containers', in: references, test: 'whole environments' },
    { line: 'envFrom in init containers', in: references, test: 'init containers' },
    {
      line: 'envFrom several and mixed',
      in: references,
      test: 'whole environments of several containers, with variables between them',
    },
    {
      line: 'names in volumes and projections',
      in: translation,
      test: 'in volumes and projections are those of the copies',
    },
    {
      line: 'PriorityClass absent, present',
      in: 'pods-down.test.ts',
      test: 'the usual priority class is made where it is absent, and left as it is where it is there',
    },
    {
      line: 'PriorityClass custom, and its value in the pod',
      in: 'pods-down.test.ts',
      test: 'a priority class that the binding names must be there already, and its value counts',
    },
    {
      line: 'preemptionPolicy',
      in: 'pods-down.test.ts',
      test: 'W12: a pod that never preempts gets the policy of its class in P',
      differs: 'W12',
    },
    { line: 'hostname at 63', in: names, test: 'of 63 characters stays' },
    { line: 'hostname at 64', in: names, test: 'of 64 is cut' },
    { line: 'hostname at 65', in: names, test: 'of 65 is cut' },
    { line: 'hostname at 100', in: names, test: 'of 100 is cut' },
    { line: 'hostname with trailing dash', in: names, test: 'does not end in a dash after the cut' },
    { line: 'hostname with trailing dot', in: names, test: 'does not end in a dot after the cut' },
    { line: 'hostname of dashes alone', in: translation, test: 'a name that no hostname can be made of is refused' },
  ],
  'pods: waiting and updates': [
    {
      line: 'dependencies: all exist',
      in: 'copies-down.test.ts',
      test: 'is held in V, copied to P, and the pod runs with the copy',
    },
    {
      line: 'dependencies: timeout and polling',
      in: 'copies-down.test.ts',
      test: 'may come late: the pod says what it waits for and runs as soon as it is there',
      differs: 'W10',
    },
    {
      line: 'dependencies: another error than not found',
      in: 'copies-down.test.ts',
      test: 'that P does not take at the moment is tried again, and its pod runs once it is there',
    },
    {
      line: 'dependencies: no token',
      in: 'down-parts.test.ts',
      test: 'is mapped, created in P and told its UID, with two requests in V and one in P',
    },
    {
      line: 'expected-metadata: encode',
      in: expectations,
      test: 'is written as Go writes it: labels first, keys sorted, markup escaped',
    },
    { line: 'expected-metadata: decode', in: expectations, test: 'comes back as it went' },
    { line: 'expected-metadata: invalid base64', in: expectations, test: 'invalid base64' },
    { line: 'expected-metadata: invalid JSON', in: expectations, test: 'invalid JSON' },
    { line: 'expected-metadata: missing', in: expectations, test: 'missing is empty' },
    { line: 'syncMetadata: add', in: 'engine/plan-metadata.test.ts', test: 'a new key is added' },
    { line: 'syncMetadata: update', in: 'engine/plan-metadata.test.ts', test: 'a changed key is written' },
    { line: 'syncMetadata: remove', in: 'engine/plan-metadata.test.ts', test: 'a key that V took away goes' },
    { line: 'syncMetadata: no-op', in: 'engine/plan-metadata.test.ts', test: 'what P has already is not written' },
    { line: 'syncMetadata: mixed', in: 'engine/plan-metadata.test.ts', test: 'all at once' },
    { line: 'activeDeadlineSeconds set', in: changes, test: 'a deadline that is set' },
    { line: 'activeDeadlineSeconds changed', in: changes, test: 'a deadline that changed' },
    { line: 'activeDeadlineSeconds to nil', in: changes, test: 'a deadline that was taken away' },
    { line: 'ephemeral containers added', in: changes, test: 'the first ephemeral container' },
    {
      line: 'ephemeral containers extended',
      in: changes,
      test: 'a further ephemeral container, with those that are there',
    },
    {
      line: 'ephemeral containers removed',
      in: changes,
      test: 'W21: nothing of an ephemeral container that is missing in V: it cannot be taken away',
      differs: 'W21',
    },
    { line: 'ephemeral containers equal', in: changes, test: 'nothing of ephemeral containers that are equal' },
  ],
};
