import type { FieldError } from '../registry/field-error.ts';
import type { SchemaNode } from '../registry/schema-node.ts';
import { correlatedChild, correlatedItem, equalValues, nothing } from './correlation.ts';
import type { Correlated } from './correlation.ts';
import { finding, toFieldErrors } from './finding.ts';
import type { Finding } from './finding.ts';
import { checkFormat, checkNumber, checkString, checkType } from './validate-scalar.ts';
import { hasKey, isRecord, mapValueSchema, refusingRefs, resolveNode } from './schema-walk.ts';
import type { ResolveRef } from './schema-walk.ts';
import { goJson, goQuote } from './go-format.ts';

export type ValidateOptions = {
  /** The value before an update: what was wrong already and has not changed is let through. */
  readonly old?: unknown;
  readonly resolveRef?: ResolveRef;
  /** Where the value is in its object; the messages name it from there only. */
  readonly path?: string;
};

/** All that is wrong with a value by its schema, in the words of the API server. CEL rules are another matter. */
export function validate(value: unknown, schema: SchemaNode, options: ValidateOptions = {}): readonly FieldError[] {
  const { resolveRef = refusingRefs, path = '' } = options;
  const old: Correlated = options.old === undefined ? nothing : { value: options.old };
  const found = checkNode({ resolveRef }, value, schema, '', old).found;
  return toFieldErrors(found, path);
}

type Checking = { readonly resolveRef: ResolveRef };

/** `matches` counts the checks that held: of several failing alternatives the server blames the one that held most. */
type Outcome = { readonly found: readonly Finding[]; readonly matches: number };

function checkNode(checking: Checking, value: unknown, schema: SchemaNode, at: string, old: Correlated): Outcome {
  const outcome = checkPlain(checking, value, resolveNode(schema, checking.resolveRef), at, old);
  if (outcome.found.length === 0 || old === nothing || !equalValues(value, old.value)) return outcome;
  return { found: [], matches: outcome.matches };
}

function checkPlain(checking: Checking, value: unknown, node: SchemaNode, at: string, old: Correlated): Outcome {
  const type = checkType(value, node, at);
  if (value === null) return { found: merge([type, checkEnum(value, node, at)]), matches: type.length === 0 ? 1 : 0 };
  const junctors = checkJunctors(checking, value, node, at, old);
  const parts = [
    type,
    junctors.found,
    ...(typeof value === 'string' ? [checkString(value, node, at), checkFormat(value, node, at)] : []),
    ...(typeof value === 'number' ? [checkNumber(value, node, at)] : []),
  ];
  const below = Array.isArray(value)
    ? checkItems(checking, value, node, at, old)
    : isRecord(value)
      ? checkFields(checking, value, node, at, old)
      : { found: [], matches: 0 };
  const listFirst = Array.isArray(value);
  const enums = checkEnum(value, node, at);
  const found = merge(listFirst ? [...parts, below.found, enums] : [...parts, enums, below.found]);
  const held = (type.length === 0 ? 1 : 0) + junctors.matches + below.matches + appliedChecks(value, node);
  return { found, matches: held };
}

/** How many kinds of check were tried: the server counts them whether they held or not. */
function appliedChecks(value: unknown, node: SchemaNode): number {
  let tried = 3;
  if (node.type !== undefined || node['x-kubernetes-int-or-string'] === true) tried += 1;
  if (typeof value === 'string' || typeof value === 'object') tried += 1;
  if (typeof value === 'number') tried += 2;
  return tried;
}

function checkItems(
  checking: Checking,
  value: readonly unknown[],
  node: SchemaNode,
  at: string,
  old: Correlated,
): Outcome {
  const outcomes = node.items
    ? value.map((item, index) => {
        const was = correlatedItem(node, item, old);
        return checkNode(checking, item, node.items ?? {}, `${at}[${index}]`, was);
      })
    : [];
  const own: Finding[] = [];
  if (node.minItems !== undefined && value.length < node.minItems) {
    own.push(finding('invalid', at, `should have at least ${node.minItems} items`, value.length));
  }
  if (node.maxItems !== undefined && value.length > node.maxItems) {
    own.push({
      ...finding('tooMany', at, `should have at most ${node.maxItems} items`, value.length),
      limit: node.maxItems,
    });
  }
  if (node.uniqueItems === true && hasTwins(value))
    own.push(finding('invalid', at, "shouldn't contain duplicates", ''));
  return sum(outcomes, own);
}

function checkFields(
  checking: Checking,
  value: { readonly [key: string]: unknown },
  node: SchemaNode,
  at: string,
  old: Correlated,
): Outcome {
  const { properties = {} } = node;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const ofMap = mapValueSchema(node);
  const outcomes = keys.flatMap((key) => {
    const schema = hasKey(properties, key) ? properties[key] : ofMap;
    if (!schema) return [];
    const typeMeta = at === '' && (key === 'kind' || key === 'apiVersion');
    const was = typeMeta ? nothing : correlatedChild(key, old);
    const below = hasKey(properties, key) && at === '' ? key : `${at}.${key}`;
    return [checkNode(checking, value[key], schema, below, was)];
  });
  return sum(outcomes, [...checkSize(keys, node, at), ...checkNames(keys, node, at)]);
}

function checkSize(keys: readonly string[], node: SchemaNode, at: string): readonly Finding[] {
  const found: Finding[] = [];
  if (node.minProperties !== undefined && keys.length < node.minProperties) {
    found.push(finding('invalid', at, `should have at least ${node.minProperties} properties`, keys.length));
  }
  if (node.maxProperties !== undefined && keys.length > node.maxProperties) {
    const detail = `should have at most ${node.maxProperties} properties`;
    found.push({ ...finding('tooMany', at, detail, keys.length), limit: node.maxProperties });
  }
  return found;
}

function checkNames(keys: readonly string[], node: SchemaNode, at: string): readonly Finding[] {
  const missing = (node.required ?? []).filter((name) => !keys.includes(name));
  const found = missing.map((name) => finding('required', `${at}.${name}`, 'is required', ''));
  if (node.additionalProperties !== false) return found;
  const foreign = keys.filter((key) => !hasKey(node.properties ?? {}, key));
  return [
    ...foreign.map((key) => ({
      ...finding('invalid', at, 'is a forbidden property', key),
      text: `${at}.${key} in body is a forbidden property`,
    })),
    ...found,
  ];
}

function checkEnum(value: unknown, node: SchemaNode, at: string): readonly Finding[] {
  if (!node.enum || node.enum.length === 0) return [];
  if (value !== null && node.enum.some((allowed) => equalValues(allowed, value))) return [];
  const allowed = node.enum.map((item) => (typeof item === 'string' ? item : goJson(item)));
  return [{ ...finding('unsupported', at, `should be one of [${allowed.join(' ')}]`, value), allowed }];
}

function checkJunctors(checking: Checking, value: unknown, node: SchemaNode, at: string, old: Correlated): Outcome {
  const run = (schema: SchemaNode): Outcome =>
    checkPlain(checking, value, resolveNode(schema, checking.resolveRef), at, old);
  const whole = (text: string): Finding => ({ ...finding('invalid', '', text, ''), text: `${goQuote(at)} ${text}` });
  const parts: Outcome[] = [];
  if (node.anyOf && node.anyOf.length > 0) {
    const all = node.anyOf.map(run);
    const good = all.find((one) => one.found.length === 0);
    parts.push(good ?? blame(whole('must validate at least one schema (anyOf)'), best(all)));
  }
  if (node.oneOf && node.oneOf.length > 0) {
    const all = node.oneOf.map(run);
    const good = all.filter((one) => one.found.length === 0);
    const note = good.length === 0 ? 'Found none valid' : `Found ${good.length} valid alternatives`;
    const failing = whole(`must validate one and only one schema (oneOf). ${note}`);
    parts.push(good.length === 1 && good[0] ? good[0] : blame(failing, good.length === 0 ? best(all) : undefined));
  }
  if (node.allOf && node.allOf.length > 0) parts.push(everyOf(node.allOf.map(run), whole));
  if (node.not && run(node.not).found.length === 0) {
    parts.push({ found: [whole('must not validate the schema (not)')], matches: 0 });
  }
  return sum(parts, []);
}

function everyOf(all: readonly Outcome[], whole: (text: string) => Finding): Outcome {
  const together = sum(all, []);
  if (together.found.length === 0) return together;
  const note = all.every((one) => one.found.length > 0) ? '. None validated' : '';
  return { ...together, found: [...together.found, whole(`must validate all the schemas (allOf)${note}`)] };
}

function best(all: readonly Outcome[]): Outcome | undefined {
  return all.reduce<Outcome | undefined>((top, one) => (top && top.matches >= one.matches ? top : one), undefined);
}

function blame(first: Finding, closest: Outcome | undefined): Outcome {
  return { found: [first, ...(closest?.found ?? [])], matches: closest?.matches ?? 0 };
}

function sum(outcomes: readonly Outcome[], own: readonly Finding[]): Outcome {
  const matches = outcomes.reduce((total, one) => total + one.matches, 0);
  return { found: merge([own, ...outcomes.map((one) => one.found)]), matches };
}

/** The same sentence twice is said once. */
function merge(parts: readonly (readonly Finding[])[]): readonly Finding[] {
  const seen = new Set<string>();
  return parts.flat().filter((one) => !seen.has(one.text) && seen.add(one.text));
}

function hasTwins(value: readonly unknown[]): boolean {
  return value.some((item, index) => value.slice(0, index).some((earlier) => equalValues(item, earlier)));
}
