import type { Draft, StoredObject } from '../registry/json.ts';
import { at, child, flag, items, text, textMap, texts } from '../kinds/draft-fields.ts';
import { parseQuantity } from '../kinds/quantity.ts';

/** What pods ask for, in billionths. */
export type Demand = { readonly cpu: bigint; readonly memory: bigint; readonly pods: bigint };

export const noDemand: Demand = { cpu: 0n, memory: 0n, pods: 0n };

export function demandOf(pod: StoredObject): Demand {
  const containers = items(child(pod, 'spec'), 'containers');
  const total = (name: string): bigint =>
    containers.reduce((sum, container) => sum + amount(text(at(container, 'resources.requests'), name)), 0n);
  return { cpu: total('cpu'), memory: total('memory'), pods: amount('1') };
}

export function addDemand(a: Demand, b: Demand, sign: 1n | -1n): Demand {
  return { cpu: a.cpu + sign * b.cpu, memory: a.memory + sign * b.memory, pods: a.pods + sign * b.pods };
}

/** Why a pod cannot go to a node, in the words of the scheduler; undefined when it can. */
export function misfit(pod: StoredObject, node: StoredObject, used: Demand): string | undefined {
  const spec = child(pod, 'spec');
  if (flag(child(node, 'spec'), 'unschedulable')) return 'node(s) were unschedulable';
  const ready = items(child(node, 'status'), 'conditions').find((found) => found['type'] === 'Ready');
  if (ready?.['status'] !== 'True') return 'node(s) were not ready';
  const taint = items(child(node, 'spec'), 'taints').find((found) => !isTolerated(found, items(spec, 'tolerations')));
  if (taint !== undefined) {
    const value = text(taint, 'value');
    return `node(s) had untolerated taint {${text(taint, 'key')}${value === '' ? '' : `: ${value}`}}`;
  }
  if (!isSelected(spec, node)) return "node(s) didn't match Pod's node affinity/selector";
  return shortage(addDemand(used, demandOf(pod), 1n), child(node, 'status'));
}

function shortage(wanted: Demand, status: Draft): string | undefined {
  const allocatable = child(status, 'allocatable');
  const exceeds = (name: keyof Demand): boolean =>
    allocatable[name] !== undefined && wanted[name] > amount(text(allocatable, name));
  if (exceeds('pods')) return 'Too many pods';
  if (exceeds('cpu')) return 'Insufficient cpu';
  return exceeds('memory') ? 'Insufficient memory' : undefined;
}

function amount(quantity: string): bigint {
  return parseQuantity(quantity)?.nanos ?? 0n;
}

function isTolerated(taint: Draft, tolerations: readonly Draft[]): boolean {
  if (text(taint, 'effect') === 'PreferNoSchedule') return true;
  return tolerations.some((toleration) => {
    const effect = text(toleration, 'effect');
    if (effect !== '' && effect !== text(taint, 'effect')) return false;
    const key = text(toleration, 'key');
    if (key !== '' && key !== text(taint, 'key')) return false;
    return text(toleration, 'operator') === 'Exists' || text(toleration, 'value') === text(taint, 'value');
  });
}

function isSelected(spec: Draft, node: StoredObject): boolean {
  const labels = node.metadata.labels ?? {};
  const wanted = textMap(spec, 'nodeSelector');
  if (Object.entries(wanted).some(([key, value]) => labels[key] !== value)) return false;
  const required = at(spec, 'affinity.nodeAffinity')['requiredDuringSchedulingIgnoredDuringExecution'];
  if (required === undefined) return true;
  return items(required as Draft, 'nodeSelectorTerms').some(
    (term) =>
      items(term, 'matchExpressions').every((expression) => meets(expression, labels[text(expression, 'key')])) &&
      items(term, 'matchFields').every((expression) => meets(expression, node.metadata.name)),
  );
}

const operators: Readonly<Record<string, (value: string | undefined, values: readonly string[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [limit]) => Number(value) > Number(limit),
  Lt: (value, [limit]) => Number(value) < Number(limit),
};

function meets(expression: Draft, value: string | undefined): boolean {
  return operators[text(expression, 'operator')]?.(value, texts(expression, 'values')) ?? false;
}
