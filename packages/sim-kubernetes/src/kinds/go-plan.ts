// What Go knows of a type that its OpenAPI schema does not say: compiled once per type, used on every write.
import type { SchemaNode } from '../registry/schema-node.ts';
import { referenceOf, wireEncoding, wireSchema } from './wire-schemas.ts';

/** How a value is read and written. */
export type ValuePlan =
  | { readonly form: 'raw' }
  | { readonly form: 'string' | 'boolean' | 'int32' | 'int64' | 'number' | 'bytes' }
  | { readonly form: 'quantity' | 'int-or-string' | 'time' | 'micro-time' }
  | { readonly form: 'list' | 'map'; readonly of: ValuePlan }
  | { readonly form: 'struct'; readonly type: string };

/** `kept`: written when present, even if zero. `always`: written even when absent. `filled`: left out when empty. */
export type Presence = 'kept' | 'always' | 'filled';

export type FieldPlan = { readonly name: string; readonly value: ValuePlan; readonly presence: Presence };

const plans = new Map<string, readonly FieldPlan[]>();

const special: Readonly<Record<string, ValuePlan>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { form: 'quantity' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { form: 'int-or-string' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': { form: 'time' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': { form: 'micro-time' },
};

/** The fields of a struct type, by its OpenAPI name. */
export function structPlan(type: string): readonly FieldPlan[] {
  const found = plans.get(type) ?? compile(type);
  plans.set(type, found);
  return found;
}

function compile(type: string): readonly FieldPlan[] {
  const encoding = wireEncoding(type);
  const kept = new Set(encoding.kept);
  const always = new Set(encoding.always);
  const unlessZero = new Set(encoding.unlessZero);
  return Object.entries(wireSchema(type).properties ?? {}).map(([name, node]) => {
    const value = valuePlan(node);
    return { name, value, presence: presenceOf(name, value) };
  });

  function presenceOf(name: string, value: ValuePlan): Presence {
    if (always.has(name)) return 'always';
    if (unlessZero.has(name)) return 'filled';
    const pointer = kept.has(name) || value.form === 'struct' || value.form in pointerForms;
    return pointer ? 'kept' : 'filled';
  }
}

// Structs of Go: behind a pointer wherever they are not always written.
const pointerForms = { quantity: true, 'int-or-string': true, time: true, 'micro-time': true, raw: true };

function valuePlan(node: SchemaNode): ValuePlan {
  const reference = referenceOf(node);
  if (reference !== undefined) return referencePlan(reference);
  if (node.type === 'array') return { form: 'list', of: valuePlan(node.items ?? {}) };
  if (node.type === 'string') return { form: node.format === 'byte' ? 'bytes' : 'string' };
  if (node.type === 'integer') return { form: node.format === 'int64' ? 'int64' : 'int32' };
  if (node.type === 'boolean' || node.type === 'number') return { form: node.type };
  const values = node.type === 'object' ? node.additionalProperties : undefined;
  return typeof values === 'object' ? { form: 'map', of: valuePlan(values) } : { form: 'raw' };
}

function referencePlan(name: string): ValuePlan {
  const known = special[name];
  if (known !== undefined) return known;
  return wireSchema(name).properties === undefined ? { form: 'raw' } : { form: 'struct', type: name };
}
