/**
 * What the embedded server does not do as kube-apiserver does, each with its reason. The assertions of the suite
 * are the same for both servers; what is named here is left out of them. An empty list is the goal.
 */
export type Difference = { readonly name: string; readonly reason: string };

export const differences: readonly Difference[] = [
  {
    name: 'which of several refusals a caller is told',
    reason:
      'Validating webhooks are asked at once, and kube-apiserver passes on whichever refusal comes first; here it is the first in order, so that a simulation repeats.',
  },
  {
    name: 'when a token in a Secret was last used',
    reason: 'The label kubernetes.io/legacy-token-last-used is left out: here a read never writes.',
  },
  {
    name: 'causes that repeat',
    reason: 'kube-apiserver repeats a cause as often as it ran the same check; the embedded server names it once.',
  },
  {
    name: 'words of the CEL compiler',
    reason:
      'What is wrong with a rule is said by another compiler; the field and the reason are equal. Warnings about types in the status of policies are its words too, and are not written.',
  },
  {
    name: 'prose of OpenAPI and of the columns of built-in kinds',
    reason: 'Documentation is not repeated; structure, types and requirements are equal.',
  },
  {
    name: 'integers beyond 2^53',
    reason: 'Numbers are those of JavaScript: custom resources lose the last digits of greater integers.',
  },
  {
    name: 'answers in protobuf',
    reason:
      'Bodies are read in it, answers are JSON, which every client takes as well; who takes nothing else gets 406.',
  },
  {
    name: 'most metrics',
    reason:
      'Requests, watches and stored objects are counted under the names of kube-apiserver; what it measures of its own parts (etcd, caches, queues, Go) has no counterpart here.',
  },
  {
    name: 'MutatingAdmissionPolicy',
    reason:
      'Its expressions build objects and patches (`Object{...}`, `JSONPatch{...}`), for which the CEL library has no syntax; mutating webhooks, in process or over TLS, do the same.',
  },
  {
    name: 'groups that another server serves',
    reason:
      'An APIService with a Service is kept, and requests for its group get 503, as they do where that Service is not there; they are never passed on, for nothing runs behind Services here.',
  },
  {
    name: 'flowcontrol.apiserver.k8s.io, certificates.k8s.io and autoscaling/v1',
    reason:
      'No requests are queued, so there is no priority to configure; no signer runs; and the older version of autoscalers shows nothing that autoscaling/v2 does not.',
  },
];

/** Resources of served groups that the embedded server leaves out. */
export const omittedResources: readonly string[] = ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'];
