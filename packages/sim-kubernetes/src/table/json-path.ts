// JSONPath as client-go has it, which printer columns and selectable fields are written in: dots and brackets, lists
// by index, slice and star, unions, `..name`, and filters that compare one thing with another.
import { isRecord } from '../schema/schema-walk.ts';
import { parseJsonPath } from './parse-json-path.ts';
import type { FilterSide, PathStep } from './parse-json-path.ts';

export type JsonPath = (value: unknown) => readonly unknown[];

/** Compiles `.spec.ports[?(@.name=="http")].port`. Throws an Error when that is no path. What is missing is left out. */
export function compileJsonPath(source: string): JsonPath {
  const steps = parseJsonPath(source);
  return (value) => follow(steps, [value]);
}

function follow(steps: readonly PathStep[], start: readonly unknown[]): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((found, step) => found.flatMap((value) => take(step, value)), start);
}

function take(step: PathStep, value: unknown): readonly unknown[] {
  switch (step.kind) {
    case 'field':
      return fieldOf(value, step.name);
    case 'all':
      return children(value);
    case 'deep':
      return [value, ...descendants(value)].filter((item) => typeof item === 'object' && item !== null);
    case 'slice':
      return Array.isArray(value) ? sliceOf(value, step) : [];
    case 'union':
      return step.steps.flatMap((one) => take(one, value));
    case 'filter':
      return Array.isArray(value) ? value.filter((item: unknown) => holds(step, item)) : [];
    default:
      return step satisfies never;
  }
}

function fieldOf(value: unknown, name: string): readonly unknown[] {
  return isRecord(value) && Object.hasOwn(value, name) && value[name] !== undefined ? [value[name]] : [];
}

function children(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  return isRecord(value) ? Object.values(value) : [];
}

function descendants(value: unknown): readonly unknown[] {
  return children(value).flatMap((child) => [child, ...descendants(child)]);
}

function sliceOf(
  list: readonly unknown[],
  { from, to, step }: Extract<PathStep, { kind: 'slice' }>,
): readonly unknown[] {
  if (to === 'one') {
    const item = list.at(from);
    return item === undefined ? [] : [item];
  }
  return list.slice(from, to).filter((_, index) => index % step === 0);
}

function holds({ left, operator, right }: Extract<PathStep, { kind: 'filter' }>, item: unknown): boolean {
  const [a] = sideOf(left, item);
  if (operator === undefined || right === undefined) return a !== undefined;
  const [b] = sideOf(right, item);
  if (a === undefined || b === undefined) return false;
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return (a as number) < (b as number);
    case '<=':
      return (a as number) <= (b as number);
    case '>':
      return (a as number) > (b as number);
    case '>=':
      return (a as number) >= (b as number);
    default:
      return operator satisfies never;
  }
}

function sideOf(side: FilterSide, item: unknown): readonly unknown[] {
  return 'value' in side ? [side.value] : follow(side.steps, [item]);
}
