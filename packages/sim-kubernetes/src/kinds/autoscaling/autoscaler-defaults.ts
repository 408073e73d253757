import type { Draft } from '../../registry/json.ts';
import { ensureChild, fill, items, maybeChild } from '../draft-fields.ts';

const percentEvery15s = { type: 'Percent', value: 100, periodSeconds: 15 };

/** Most of the CPU is what is aimed at where nothing is said. */
export function fillAutoscaler(autoscaler: Draft): void {
  const spec = ensureChild(autoscaler, 'spec');
  fill(spec, { minReplicas: 1 });
  if (items(spec, 'metrics').length === 0) {
    spec['metrics'] = [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ];
  }
  const behavior = maybeChild(spec, 'behavior');
  if (behavior === undefined) return;
  const podsEvery15s = { type: 'Pods', value: 4, periodSeconds: 15 };
  fillRules(behavior, 'scaleUp', { stabilizationWindowSeconds: 0, policies: [podsEvery15s, percentEvery15s] });
  fillRules(behavior, 'scaleDown', { policies: [percentEvery15s] });
}

function fillRules(behavior: Draft, way: string, defaults: Draft): void {
  const rules = ensureChild(behavior, way);
  for (const [key, value] of Object.entries({ ...defaults, selectPolicy: 'Max' })) {
    if (rules[key] === undefined || rules[key] === null) rules[key] = structuredClone(value);
  }
}
