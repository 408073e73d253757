import { LossySchemaError } from './lossy-schema-error.ts';
import { usesOldSelf } from './rule.ts';
import type { CelRule, StructuralSchema } from './structural-schema.ts';

/**
 * The server estimates what a rule can cost at worst and refuses the CRD when that is too much. An unbounded
 * string, list or map that a rule reads, or that stands above it, is the usual cause, so we ask for the bound.
 */
export function checkRules(root: StructuralSchema, path: string): void {
  walk(root, { path, unbounded: undefined, correlatable: true });
}

type Place = {
  readonly path: string;
  /** The nearest list or map above without a bound: a rule would run once for each of its entries. */
  readonly unbounded: string | undefined;
  /** The server can tell which old value belongs to a new one. */
  readonly correlatable: boolean;
};

function walk(node: StructuralSchema, place: Place): void {
  const { path } = place;
  for (const rule of node['x-kubernetes-validations'] ?? []) checkRule(rule, node, place);
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    walk(child, { ...place, path: `${path}.${name}` });
  }
  if (node.additionalProperties) {
    const unbounded = node.maxProperties === undefined ? `${path} has no maxProperties` : place.unbounded;
    walk(node.additionalProperties, { ...place, path: `${path}.*`, unbounded });
  }
  if (node.items) {
    const unbounded = node.maxItems === undefined ? `${path} has no max()` : place.unbounded;
    const correlatable = place.correlatable && node['x-kubernetes-list-type'] === 'map';
    walk(node.items, { path: `${path}[]`, unbounded, correlatable });
  }
}

function checkRule({ rule }: CelRule, node: StructuralSchema, place: Place): void {
  const fail = (why: string): never => {
    throw new LossySchemaError(place.path, `the rule "${rule}" ${why}`);
  };
  if (node.type === undefined && !node['x-kubernetes-int-or-string']) fail('is on a value that CEL cannot see');
  if (place.unbounded !== undefined) fail(`runs once per entry, and ${place.unbounded}`);
  if (usesOldSelf(rule) && !place.correlatable) fail('needs the old value, but only items of a listMap() have one');
  for (const chain of mentioned(rule)) {
    const problem = unboundedRead(node, chain, place.path);
    if (problem !== undefined) fail(`costs without limit: ${problem}`);
  }
}

/** The field chains that a rule reads, for example `['port', 'name']` for `self.port.name`. */
function mentioned(rule: string): readonly (readonly string[])[] {
  // has() costs nothing, and what stands in quotes is no field.
  const bare = rule.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "''").replace(/\bhas\([^()]*\)/g, 'true');
  return [...bare.matchAll(/\b(?:self|oldSelf)((?:\.\??[A-Za-z_]\w*)*)/g)].map((match) =>
    (match[1] ?? '').split(/\.\??/).filter((part) => part !== ''),
  );
}

/** Goes down as far as there are fields; the rest of a chain is a function. */
function unboundedRead(node: StructuralSchema, [name, ...rest]: readonly string[], path: string): string | undefined {
  const child = name === undefined ? undefined : node.properties?.[name];
  if (child) return unboundedRead(child, rest, `${path}.${name}`);
  // A function of a map goes over its keys. Where it reads values too it has to mention the map once more.
  if (name !== undefined && node.additionalProperties && node.maxProperties !== undefined) return undefined;
  return unboundedPart(node, path);
}

function unboundedPart(node: StructuralSchema, path: string): string | undefined {
  if (node['x-kubernetes-int-or-string']) return node.maxLength === undefined ? `${path} has no maxLength` : undefined;
  if (node.type === 'string') {
    const bounded = node.maxLength !== undefined || node.enum || node.format === 'date' || node.format === 'date-time';
    return bounded ? undefined : `${path} has no max()`;
  }
  if (node.items) {
    return node.maxItems === undefined ? `${path} has no max()` : unboundedPart(node.items, `${path}[]`);
  }
  if (node.additionalProperties) {
    if (node.maxProperties === undefined) return `${path} has no maxProperties`;
    return unboundedPart(node.additionalProperties, `${path}.*`);
  }
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const problem = unboundedPart(child, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
