import type { Schema } from './schema-of.ts';

/** One property of a schema. `[]` in its name stands for any item of a list, `{}` for any value of a map. */
export type Property = {
  readonly name: string;
  readonly path: readonly string[];
  readonly schema: Schema;
  /** Has no properties of its own. */
  readonly leaf: boolean;
};

/** Every property of a schema, those within others included. */
export function propertiesOf(schema: Schema, path: readonly string[] = []): readonly Property[] {
  if (schema.items) return propertiesOf(schema.items, [...path, '[]']);
  if (typeof schema.additionalProperties === 'object') {
    return propertiesOf(schema.additionalProperties, [...path, '{}']);
  }
  return Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => {
    const here = [...path, field];
    const within = propertiesOf(inner, here);
    return [{ name: nameOf(here), path: here, schema: inner, leaf: within.length === 0 }, ...within];
  });
}

export function nameOf(path: readonly string[]): string {
  return path.join('.').replaceAll('.[]', '[]').replaceAll('.{}', '{}');
}
