import type { AdmissionAttributes, AdmissionPlugin } from '../registry/admission.ts';
import { forbidden } from '../registry/api-error.ts';
import type { Draft } from '../registry/json.ts';
import type { HookContext } from '../registry/resource-type.ts';
import { count, ensureChild, flag, items, text } from '../kinds/draft-fields.ts';

const pods = { group: '', plural: 'pods' };

/** The spec of a pod that is being made, or undefined when something else is. */
export function newPodSpec({ operation, type, subresource, object }: AdmissionAttributes): Draft | undefined {
  const applies = operation === 'CREATE' && type.group === '' && type.plural === 'pods' && subresource === '';
  return applies && object !== undefined ? ensureChild(object, 'spec') : undefined;
}

/** Turns the name of a PriorityClass into a number; without a name the default class counts, else zero. */
export const priority: AdmissionPlugin = {
  name: 'Priority',
  mutate: (attributes, context) => {
    const spec = newPodSpec(attributes);
    if (spec === undefined) return;
    const chosen = priorityClassOf(spec, attributes.name, context);
    const value = count(chosen, 'value');
    const policy = text(chosen, 'preemptionPolicy') || 'PreemptLowerPriority';
    if (chosen !== undefined) spec['priorityClassName'] = text(chosen['metadata'] as Draft, 'name');
    refuse(spec['priority'] !== undefined && spec['priority'] !== value, attributes.name, [
      `the integer value of priority (${String(spec['priority'])}) must not be provided in pod spec;`,
      `priority admission controller computed ${value} from the given PriorityClass name`,
    ]);
    refuse(spec['preemptionPolicy'] !== undefined && spec['preemptionPolicy'] !== policy, attributes.name, [
      `the string value of PreemptionPolicy (${String(spec['preemptionPolicy'])}) must not be provided in pod spec;`,
      `priority admission controller computed ${policy} from the given PriorityClass name`,
    ]);
    spec['priority'] = value;
    spec['preemptionPolicy'] = policy;
  },
};

function refuse(when: boolean, name: string, words: readonly string[]): void {
  if (when) throw forbidden(pods, name, words.join(' '));
}

function priorityClassOf(spec: Draft, pod: string, context: HookContext): Draft | undefined {
  const name = text(spec, 'priorityClassName');
  if (name === '') {
    const defaults = context
      .list('scheduling.k8s.io', 'priorityclasses')
      .filter((found) => flag(found, 'globalDefault'));
    return defaults.toSorted((a, b) => count(a, 'value') - count(b, 'value'))[0];
  }
  const found = context.get('scheduling.k8s.io', 'priorityclasses', undefined, name);
  if (found === undefined) throw forbidden(pods, pod, `no PriorityClass with name ${name} was found`);
  return found;
}

const awaited = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Pods stay for five minutes on a node that is lost, unless they say otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  mutate: (attributes) => {
    const spec = newPodSpec(attributes);
    if (spec === undefined) return;
    const given = items(spec, 'tolerations');
    const covers = (key: string): boolean =>
      given.some((toleration) => {
        const [own, effect] = [text(toleration, 'key'), text(toleration, 'effect')];
        return (own === key || own === '') && (effect === 'NoExecute' || effect === '');
      });
    const missing = awaited
      .filter((key) => !covers(key))
      .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
    if (missing.length > 0) spec['tolerations'] = [...given, ...missing];
  },
};
