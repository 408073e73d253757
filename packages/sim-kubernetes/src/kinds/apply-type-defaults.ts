// Defaults belong to types, not to kinds: a Probe is filled the same way wherever it stands. As in Go the outer type
// goes first, so that what it adds is filled as well.
import type { Draft } from '../registry/json.ts';
import { isFields } from './draft-fields.ts';
import type { FieldPlan, ValuePlan } from './go-plan.ts';
import { structPlan } from './go-plan.ts';
import { referenceOf, wireSchema } from './wire-schemas.ts';

export type TypeDefaults = Readonly<Record<string, (draft: Draft) => void>>;

type DefaultsPlan = {
  readonly own: ((draft: Draft) => void) | undefined;
  /** What the document declares: `+default` in the Go sources. */
  readonly declared: readonly (readonly [string, unknown])[];
  readonly fields: readonly (FieldPlan & { readonly type: string })[];
};

/** Fills a draft of the given type from a table by OpenAPI name. The draft must have been normalized. */
export function createTypeDefaults(table: TypeDefaults): (draft: Draft, type: string) => void {
  const plans = new Map<string, DefaultsPlan>();
  const needed = new Map<string, boolean>();

  function planOf(type: string): DefaultsPlan {
    const found = plans.get(type);
    if (found !== undefined) return found;
    const fields = structPlan(type).flatMap((field) => {
      const inner = innerStruct(field.value);
      return inner !== undefined && isNeeded(inner, new Set()) ? [{ ...field, type: inner }] : [];
    });
    const plan = { own: table[type], declared: declaredDefaults(type), fields };
    plans.set(type, plan);
    return plan;
  }

  function isNeeded(type: string, visiting: Set<string>): boolean {
    const known = needed.get(type);
    if (known !== undefined) return known;
    if (visiting.has(type)) return false;
    visiting.add(type);
    const answer =
      table[type] !== undefined ||
      declaredDefaults(type).length > 0 ||
      structPlan(type).some(({ value }) => {
        const inner = innerStruct(value);
        return inner !== undefined && isNeeded(inner, visiting);
      });
    // A type inside a cycle may be called needless too early; only a yes is final there.
    if (answer || visiting.size === 1) needed.set(type, answer);
    visiting.delete(type);
    return answer;
  }

  return function fillType(draft, type) {
    const { own, declared, fields } = planOf(type);
    own?.(draft);
    for (const [name, value] of declared) if (draft[name] === undefined) draft[name] = value;
    for (const field of fields) {
      for (const inner of structsIn(draft[field.name])) fillType(inner, field.type);
    }
  };
}

function innerStruct(plan: ValuePlan): string | undefined {
  if (plan.form === 'struct') return plan.type;
  return plan.form === 'list' || plan.form === 'map' ? innerStruct(plan.of) : undefined;
}

// A map of structs does not occur in what is defaulted.
function structsIn(value: unknown): readonly Draft[] {
  if (Array.isArray(value)) return value.filter((item) => isFields(item));
  return isFields(value) ? [value] : [];
}

function declaredDefaults(type: string): readonly (readonly [string, unknown])[] {
  const properties = wireSchema(type).properties ?? {};
  return structPlan(type).flatMap(({ name, value, presence }) => {
    const node = properties[name];
    const scalar =
      node !== undefined && referenceOf(node) === undefined && value.form !== 'list' && value.form !== 'map';
    if (!scalar || node.default === undefined || presence === 'always') return [];
    // The document gives every field that is no pointer its zero value as default: that one says nothing.
    const zero = node.default === '' || node.default === 0 || node.default === false;
    return presence === 'kept' || !zero ? [[name, node.default] as const] : [];
  });
}
