import type { Draft, StoredObject } from '../../registry/json.ts';
import type { Cell } from '../cells/cell-text.ts';
import { age, none, unset } from '../cells/cell-text.ts';
import { child, count, items, maybeNumber, text } from '../draft-fields.ts';

const unknown = '<unknown>';
const shownMetrics = 2;
const sources: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

/** The columns of `kubectl get hpa`. */
export function autoscalerCells(object: StoredObject, nowMs: number): readonly Cell[] {
  const [spec, status] = [child(object, 'spec'), child(object, 'status')];
  const target = child(spec, 'scaleTargetRef');
  return [
    object.metadata.name,
    `${text(target, 'kind')}/${text(target, 'name')}`,
    metricsText(items(spec, 'metrics'), items(status, 'currentMetrics')),
    String(maybeNumber(spec, 'minReplicas') ?? unset),
    count(spec, 'maxReplicas'),
    count(status, 'currentReplicas'),
    age(object, nowMs),
  ];
}

function metricsText(metrics: readonly Draft[], seen: readonly Draft[]): string {
  if (metrics.length === 0) return none;
  const shown = metrics.slice(0, shownMetrics).map((metric, index) => metricText(metric, seen[index]));
  const more = metrics.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} + ${more} more...`;
}

function metricText(metric: Draft, seen: Draft | undefined): string {
  const field = sources[text(metric, 'type')];
  if (field === undefined) return '<unknown type>';
  const [source, current] = [child(metric, field), child(child(seen, field), 'current')];
  const target = child(source, 'target');
  const average = text(target, 'averageValue');
  if (field === 'resource' || field === 'containerResource') {
    const name = text(source, 'name');
    if (average !== '') return `${name}: ${text(current, 'averageValue') || unknown}/${average}`;
    return `${name}: ${share(current) ?? unknown}/${share(target) ?? '<auto>'}`;
  }
  if (average === '') return `${text(current, 'value') || unknown}/${text(target, 'value')}`;
  return `${text(current, 'averageValue') || unknown}/${average}${field === 'pods' ? '' : ' (avg)'}`;
}

function share(target: Draft): string | undefined {
  const percent = maybeNumber(target, 'averageUtilization');
  return percent === undefined ? undefined : `${percent}%`;
}
