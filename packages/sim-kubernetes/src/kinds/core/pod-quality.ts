import type { Draft } from '../../registry/json.ts';
import { child, items, maybeChild, text } from '../draft-fields.ts';
import { compareQuantities, parseQuantity } from '../quantity.ts';

const counted = ['cpu', 'memory'];

/** How safe a pod is from being evicted: what it asks for against what it may use. */
export function qualityOf(spec: Draft): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const whole = maybeChild(spec, 'resources');
  const holders = whole === undefined ? [...items(spec, 'containers'), ...items(spec, 'initContainers')] : [spec];
  const resources = holders.map((holder) => child(holder, 'resources'));
  const asked = resources.some((found) =>
    ['requests', 'limits'].some((key) => counted.some((name) => isPositive(text(child(found, key), name)))),
  );
  if (!asked) return 'BestEffort';
  const guaranteed = resources.every((found) =>
    counted.every((name) => {
      const [request, limit] = [text(child(found, 'requests'), name), text(child(found, 'limits'), name)];
      return isPositive(limit) && isSame(request, limit);
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function isPositive(amount: string): boolean {
  return (parseQuantity(amount)?.nanos ?? 0n) > 0n;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left !== undefined && right !== undefined && compareQuantities(left, right) === 0;
}
