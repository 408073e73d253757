import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { items, text, textMap, texts } from '../draft-fields.ts';
import { humanDuration } from './human-duration.ts';

export type Cell = string | number | boolean | null;
export type CellsOf = (object: StoredObject, nowMs: number) => readonly Cell[];

export const none = '<none>';
export const unset = '<unset>';

/** How long ago a time was. */
export function since(time: unknown, nowMs: number): string {
  return typeof time === 'string' && time !== '' ? humanDuration(nowMs - Date.parse(time)) : '<unknown>';
}

export function age(object: StoredObject, nowMs: number): string {
  return since(object.metadata.creationTimestamp, nowMs);
}

/** Names and images of containers, as the wide columns of workloads have them. */
export function containerCells(podSpec: Draft): readonly [string, string] {
  const containers = items(podSpec, 'containers');
  return [
    containers.map((container) => text(container, 'name')).join(','),
    containers.map((container) => text(container, 'image')).join(','),
  ];
}

/** `a=b,c=d`, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return parts.toSorted().join(',') || none;
}

const operators: Readonly<Record<string, (key: string, values: readonly string[]) => string>> = {
  In: (key, values) => `${key} in (${values.join(',')})`,
  NotIn: (key, values) => `${key} notin (${values.join(',')})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** A label selector in the form that `-l` takes. */
export function selectorText(selector: Draft | JsonObject | undefined): string {
  if (selector === undefined) return '';
  const equals = Object.entries(textMap(selector, 'matchLabels')).map(([key, value]) => [key, `${key}=${value}`]);
  const expressions = items(selector, 'matchExpressions').map((expression) => {
    const key = text(expression, 'key');
    const write = operators[text(expression, 'operator')];
    return [key, write?.(key, texts(expression, 'values').toSorted()) ?? ''];
  });
  return [...equals, ...expressions]
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map(([, written]) => written)
    .join(',');
}

/** The first three of a list, and how many more there are. */
export function firstThree(list: readonly string[], empty: string): string {
  if (list.length > 3) return `${list.slice(0, 3).join(',')} + ${list.length - 3} more...`;
  return list.join(',') || empty;
}

/** Addresses of a load balancer, each once, in order. */
export function loadBalancerText(loadBalancer: Draft): string {
  const addresses = items(loadBalancer, 'ingress')
    .map((ingress) => text(ingress, 'ip') || text(ingress, 'hostname'))
    .filter((address) => address !== '');
  return [...new Set(addresses)].toSorted().join(',');
}

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

export function accessModesText(given: readonly string[]): string {
  return Object.entries(modes)
    .filter(([mode]) => given.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

export function numberOrText(value: unknown, absent: string): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : absent;
}

export function hasCondition(status: Draft, type: string): boolean {
  return items(status, 'conditions').some((found) => found['type'] === type && found['status'] === 'True');
}

export function annotation(object: StoredObject, key: string): string | undefined {
  return object.metadata.annotations?.[key];
}
