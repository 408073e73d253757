/**
 * What the embedded server does not do as kube-apiserver does, each with its reason. The assertions of the suite
 * are the same for both servers; what is named here is left out of them. An empty list is the goal.
 */
export type Difference = { readonly name: string; readonly reason: string };

export const differences: readonly Difference[] = [
  {
    name: 'authorizer in match conditions',
    reason: 'Conditions of webhooks see object, oldObject and request; asking what a user may do is not built yet.',
  },
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
    name: 'webhooks for reviews, token requests, bindings, evictions and connections',
    reason:
      'Webhooks are asked about what is stored; what is only asked for never is. An eviction is asked about as the deletion that it becomes.',
  },
  {
    name: 'causes that repeat',
    reason: 'kube-apiserver repeats a cause as often as it ran the same check; the embedded server names it once.',
  },
  {
    name: 'words of the CEL compiler',
    reason: 'What is wrong with a rule is said by another compiler; the field and the reason are equal.',
  },
  {
    name: 'prose of OpenAPI and of the columns of built-in kinds',
    reason: 'Documentation is not repeated; structure, types and requirements are equal.',
  },
  {
    name: 'OpenAPI v2 and metrics',
    reason:
      'Paths /openapi/v2 and /metrics are answered with 404: not built yet. kubectl needs the former only for objects of the kind List in one file.',
  },
  {
    name: 'PodSecurity',
    reason: 'Labels of a namespace that ask for baseline or restricted pods are not looked at: not built yet.',
  },
  {
    name: 'integers beyond 2^53',
    reason: 'Numbers are those of JavaScript: custom resources lose the last digits of greater integers.',
  },
  {
    name: 'OpenAPI v2',
    reason: 'Clients of this decade read /openapi/v3; the older document says the same in one piece, and is not made.',
  },
  {
    name: 'answers in protobuf',
    reason:
      'Bodies are read in it, answers are JSON, which every client takes as well; who takes nothing else gets 406.',
  },
  {
    name: 'admission policies',
    reason: 'Rules in CEL for all kinds of objects: not built yet; webhooks and plugins in process do the same.',
  },
  {
    name: 'componentstatuses, volumeattributesclasses, ipaddresses, servicecidrs and other groups',
    reason: 'Kinds that neither the operators nor everyday commands of kubectl need.',
  },
];

/** Resources of served groups that the embedded server leaves out. */
export const omittedResources: readonly string[] = [
  'componentstatuses',
  'volumeattributesclasses',
  'ipaddresses',
  'servicecidrs',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
];

/** Schemas that only the omitted resources use. */
export const omittedSchemas =
  /\.(Component(Status|Condition)|VolumeAttributesClass|IPAddress|ServiceCIDR|ParentReference)/;
