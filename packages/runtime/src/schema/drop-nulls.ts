import type { StructuralSchema } from './structural-schema.ts';

/** The server takes a null where none is allowed for an absent field, before it fills in defaults. So do we. */
export function dropNulls(value: unknown, schema: StructuralSchema | undefined): unknown {
  if (!schema) return value;
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, schema.items));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const child = schema.properties?.[name] ?? schema.additionalProperties;
      if (field === null && child && !child.nullable) return [];
      return [[name, dropNulls(field, child)]];
    }),
  );
}
