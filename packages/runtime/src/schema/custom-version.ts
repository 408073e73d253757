import type { z } from 'zod';
import type { AnyObject, KubeObject } from '../object.ts';
import { celFieldPath } from './cel-text.ts';
import { rootSchema } from './crd.ts';
import type { CrdVersion, PrinterColumn, ScaleSubresource } from './crd.ts';
import { dropNulls } from './drop-nulls.ts';
import { checkJsonPaths } from './json-path.ts';
import { LossySchemaError } from './lossy-schema-error.ts';
import { invalid, toProblems } from './problem.ts';
import type { Checked, Problem } from './problem.ts';
import { checkRules } from './rule-limits.ts';
import { usesOldSelf } from './rule.ts';
import type { CelRule, StructuralSchema } from './structural-schema.ts';
import { toStructural } from './to-structural.ts';

/** A CEL rule at the root, where `self.metadata.name` can be seen. `holds` is its twin unless it uses `oldSelf`. */
export type RootRule = {
  readonly cel: string;
  readonly message: string;
  /** A field of the root to blame: `spec`, `status` or `metadata`. */
  readonly field?: 'spec' | 'status' | 'metadata';
  readonly holds?: (object: AnyObject) => boolean;
};

export type VersionDefinition = {
  readonly name: string;
  /** True when absent. */
  readonly served?: boolean;
  /** May be left out where there is one version. */
  readonly storage?: boolean;
  readonly description?: string;
  readonly spec: z.ZodType<object>;
  /** The fields of `spec` stand at the root, beside metadata, as some early kinds have it. */
  readonly fieldsAtRoot?: true;
  readonly status?: z.ZodType<object>;
  readonly printerColumns?: readonly PrinterColumn[];
  /** JSON paths that `--field-selector` may name. */
  readonly selectableFields?: readonly string[];
  /** The status subresource is on wherever there is a status. */
  readonly subresources?: { readonly status?: true; readonly scale?: ScaleSubresource };
  /** True, or the warning that the server gives to who still uses the version. */
  readonly deprecated?: true | string;
  readonly rules?: readonly RootRule[];
};

/** An object of a version, as the server hands it out: with its defaults. */
export type ObjectOf<V extends VersionDefinition> = KubeObject &
  (V extends { readonly fieldsAtRoot: true } ? z.output<V['spec']> : { readonly spec: z.output<V['spec']> }) &
  (V extends { readonly status: infer S extends z.ZodType<object> } ? { readonly status?: z.output<S> } : unknown);

export type CustomVersion<V extends VersionDefinition> = {
  readonly toCrdVersion: (storage: boolean) => CrdVersion;
  /** What the server would make of this spec: its defaults, or the problems it would name. */
  readonly parseSpec: (value: unknown) => Checked<z.output<V['spec']>>;
  /** The same for a whole object, with status and the rules at the root. Metadata is not looked at. */
  readonly parseObject: (object: KubeObject) => Checked<ObjectOf<V>>;
};

export function createCustomVersion<V extends VersionDefinition>(version: V, path: string): CustomVersion<V> {
  const spec = convertPart(version.spec, `${path}.spec`);
  const status = version.status && convertPart(version.status, `${path}.status`);
  const emptySpec = version.spec.safeParse({});
  const rules = (version.rules ?? []).map((rule) => toRootRule(rule, path));
  const { description, fieldsAtRoot } = version;
  const root = rootSchema({ spec, status, description, emptySpec: emptySpec.data, rules, fieldsAtRoot });
  checkRules(root, path);
  checkJsonPaths(version, root, path);

  const orEmpty = (value: unknown): unknown => (emptySpec.success ? (value ?? {}) : (value ?? undefined));
  return {
    toCrdVersion: (storage) => toCrdVersion(version, storage, root),
    parseSpec: (value) => {
      const parsed = parsePart(version.spec, spec, 'spec', orEmpty(value));
      return parsed.success ? { ok: true, value: parsed.data as z.output<V['spec']> } : invalid(parsed.problems);
    },
    parseObject: (object) => {
      const given = object as AnyObject;
      const parts: Record<string, unknown> = {};
      const problems: Problem[] = [];
      const check = (field: string, schema: z.ZodType, node: StructuralSchema, value: unknown): void => {
        const parsed = parsePart(schema, node, field, value);
        if (parsed.success) parts[field] = parsed.data;
        else problems.push(...parsed.problems);
      };
      if (fieldsAtRoot) {
        const parsed = parsePart(version.spec, spec, '', given);
        if (parsed.success) Object.assign(parts, parsed.data);
        else problems.push(...parsed.problems);
      } else check('spec', version.spec, spec, orEmpty(given['spec']));
      const hasStatus = given['status'] !== undefined && given['status'] !== null;
      if (version.status && status && hasStatus) {
        check('status', version.status, status, given['status']);
      }
      const whole: AnyObject = { ...given, ...parts };
      if (problems.length === 0) problems.push(...rootProblems(version, whole));
      return problems.length === 0 ? { ok: true, value: whole as unknown as ObjectOf<V> } : invalid(problems);
    },
  };
}

type PartResult<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly problems: readonly Problem[] };

function parsePart<S extends z.ZodType>(
  schema: S,
  node: StructuralSchema,
  field: string,
  value: unknown,
): PartResult<z.output<S>> {
  const parsed = schema.safeParse(dropNulls(value, node));
  return parsed.success ? parsed : { success: false, problems: toProblems(parsed.error.issues, field) };
}

function convertPart(schema: z.ZodType, path: string): StructuralSchema {
  const node = toStructural(schema, path);
  if (node.type !== 'object' || node.additionalProperties || node.nullable || node.default !== undefined) {
    throw new LossySchemaError(path, 'must be an object with fields, and neither nullable nor defaulted');
  }
  return node;
}

function toRootRule({ cel, message, field, holds }: RootRule, path: string): CelRule {
  if (usesOldSelf(cel) === (holds !== undefined)) {
    throw new LossySchemaError(path, `the rule "${cel}" needs either oldSelf or its twin in our process (holds)`);
  }
  return { rule: cel, message, ...(field !== undefined && { fieldPath: celFieldPath(field) }) };
}

function rootProblems({ rules = [] }: VersionDefinition, object: AnyObject): readonly Problem[] {
  return rules
    .filter(({ holds }) => holds && !holds(object))
    .map(({ field, message }) => ({ field: field ?? '', message }));
}

function toCrdVersion(version: VersionDefinition, storage: boolean, openAPIV3Schema: StructuralSchema): CrdVersion {
  const { name, served = true, deprecated, printerColumns, selectableFields, subresources } = version;
  const hasStatus = version.status !== undefined || subresources?.status === true;
  return {
    name,
    served,
    storage,
    ...(deprecated !== undefined && { deprecated: true }),
    ...(typeof deprecated === 'string' && { deprecationWarning: deprecated }),
    schema: { openAPIV3Schema },
    ...((hasStatus || subresources?.scale) && {
      subresources: { ...(hasStatus && { status: {} }), ...(subresources?.scale && { scale: subresources.scale }) },
    }),
    ...(printerColumns && { additionalPrinterColumns: printerColumns }),
    ...(selectableFields && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}
