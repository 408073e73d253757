import { cloneJson } from '../../registry/clone-json.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, ensureChild, flag, items, maybeNumber, text } from '../draft-fields.ts';
import { validatePodSpec } from '../validation/validate-pod-spec.ts';
import { fillAppArmor } from './pod-app-armor.ts';
import { qualityOf } from './pod-quality.ts';
import { validatePodUpdate } from './validate-pod-update.ts';

export const pod: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  strategy: {
    // Where a pod runs is no wish of its author, so a binding is no new generation.
    generationChanged: (next, old) => !sameJson(withoutNode(next), withoutNode(old)),
    fieldLabels: podLabels,
    prepareForCreate: (draft) => {
      fillAppArmor(draft);
      const spec = ensureChild(draft, 'spec');
      if ((maybeNumber(spec, 'terminationGracePeriodSeconds') ?? 0) < 0) spec['terminationGracePeriodSeconds'] = 1;
      const status: Draft = { phase: 'Pending', qosClass: qualityOf(spec) };
      if (items(spec, 'schedulingGates').length > 0) {
        status['conditions'] = [
          {
            type: 'PodScheduled',
            status: 'False',
            lastProbeTime: null,
            lastTransitionTime: null,
            reason: 'SchedulingGated',
            message: 'Scheduling is blocked due to non-empty scheduling gates',
          },
        ];
      }
      draft['status'] = status;
    },
    prepareForStatusUpdate: (draft, old) => {
      // Owners are not the kubelet's to change, labels and annotations are.
      const metadata = ensureChild(draft, 'metadata');
      const owners = old.metadata['ownerReferences'];
      if (owners === undefined) delete metadata['ownerReferences'];
      else metadata['ownerReferences'] = cloneJson(owners);
      const status = ensureChild(draft, 'status');
      if (text(status, 'qosClass') === '') status['qosClass'] = child(old, 'status')['qosClass'];
    },
    validate: (object) => validatePodSpec(child(object, 'spec'), 'spec'),
    validateUpdate: validatePodUpdate,
    gracePeriodSeconds: gracePeriodOf,
  },
};

function withoutNode(object: JsonObject): Draft {
  const { nodeName: _node, ...spec } = child(object, 'spec');
  return spec;
}

/** Nobody waits for a pod that runs nowhere or has ended. */
function gracePeriodOf(object: StoredObject, asked: number | undefined): number {
  const spec = child(object, 'spec');
  const phase = text(child(object, 'status'), 'phase');
  if (text(spec, 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = asked ?? maybeNumber(spec, 'terminationGracePeriodSeconds') ?? 0;
  return seconds < 0 ? 1 : seconds;
}

function podLabels(object: StoredObject): Readonly<Record<string, string>> {
  const [spec, status] = [child(object, 'spec'), child(object, 'status')];
  return {
    'spec.nodeName': text(spec, 'nodeName'),
    'spec.restartPolicy': text(spec, 'restartPolicy'),
    'spec.schedulerName': text(spec, 'schedulerName'),
    'spec.serviceAccountName': text(spec, 'serviceAccountName'),
    'spec.hostNetwork': String(flag(spec, 'hostNetwork')),
    'status.phase': text(status, 'phase'),
    'status.podIPs': '',
    'status.podIP': text(items(status, 'podIPs')[0], 'ip'),
    'status.nominatedNodeName': text(status, 'nominatedNodeName'),
  };
}
