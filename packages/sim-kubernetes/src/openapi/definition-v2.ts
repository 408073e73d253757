import type { SchemaNode } from '../registry/schema-node.ts';

// Schemas as OpenAPI v2 has them: less can be said in it, so what it has no words for is left out.

type Loose = { readonly [key: string]: unknown };

const inThree = '#/components/schemas/';
const inTwo = '#/definitions/';
const left = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default']);

/** A schema of a built-in kind. */
export function toDefinition(node: SchemaNode): Loose {
  return convert(node, (schema) => schema);
}

/** A schema of a custom resource: kubectl cannot cope with everything that it may say. */
export function toCustomDefinition(node: SchemaNode): Loose {
  // Whatever the root says of unknown fields, the kind is an object.
  return { ...convert(node, simplify), type: 'object' };
}

function convert(node: Loose, prepare: (node: Loose) => Loose): Loose {
  const { properties, items, additionalProperties, ...rest } = prepare(node);
  const below = (inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null ? convert(inner as Loose, prepare) : inner;
  const named = Object.entries((properties ?? {}) as Loose).map(([name, inner]) => [name, below(inner)]);
  return {
    ...referenceOf(rest),
    ...typeOf(rest),
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !left.has(key) && key !== '$ref' && key !== 'type')),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(named) as Loose }),
    ...(items === undefined ? {} : { items: below(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: below(additionalProperties) }),
  };
}

function referenceOf({ $ref, allOf }: Loose): Loose {
  const [first] = (allOf ?? []) as readonly Loose[];
  const reference = $ref ?? first?.['$ref'];
  return typeof reference === 'string' ? { $ref: reference.replace(inThree, inTwo) } : {};
}

/** Numbers that may be texts are texts, with a format that says so. */
function typeOf({ type, oneOf, format }: Loose): Loose {
  if (type !== undefined) return { type };
  return Array.isArray(oneOf) && (format === 'int-or-string' || oneOf.length > 0) ? { type: 'string' } : {};
}

function simplify(node: Loose): Loose {
  const { type, properties, items, required, ...rest } = node;
  const open = rest['x-kubernetes-preserve-unknown-fields'] === true;
  const bare = open || rest['nullable'] === true;
  const inner = bare ? undefined : items;
  const untyped = rest['nullable'] === true || (type === 'array' && inner === undefined) || (type === 'object' && open);
  const kept = bare ? undefined : (properties as { readonly [name: string]: Loose } | undefined);
  const needed = ((required ?? []) as readonly string[]).filter((name) => kept?.[name]?.['nullable'] !== true);
  return {
    ...rest,
    ...(untyped || type === undefined ? {} : { type }),
    ...(kept === undefined ? {} : { properties: kept }),
    ...(inner === undefined ? {} : { items: inner }),
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}
