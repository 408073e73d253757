import { conditionList, defineCustomKind } from '@tributary/runtime';
import type { CustomKind, PrinterColumn } from '@tributary/runtime';
import { z } from 'zod';

/** `.json.path`, before it the type where it is not text, behind it `wide` where only `-o wide` shows it. */
type Column = string;

type Definition<Spec extends z.ZodType<object>, Status extends z.ZodType<object>> = {
  readonly kind: string;
  /** The kind in lower case with an `s` when absent. */
  readonly plural?: string;
  readonly shortNames: readonly string[];
  /** `Cluster` when absent. */
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly spec: Spec;
  readonly status: Status;
  /** What `kubectl get` shows between the name and the age. */
  readonly columns: Readonly<Record<string, Column>>;
};

type OneVersion<Spec extends z.ZodType<object>, Status extends z.ZodType<object>> = readonly [
  { readonly name: 'v1alpha2'; readonly spec: Spec; readonly status: Status },
];

/** A kind of ours as nearly all are: one version, and a table that ends with the age. */
export function defineCloudflareKind<Spec extends z.ZodType<object>, Status extends z.ZodType<object>>(
  definition: Definition<Spec, Status>,
): CustomKind<OneVersion<Spec, Status>> {
  const { kind, plural = `${kind.toLowerCase()}s`, shortNames, scope = 'Cluster', spec, status } = definition;
  const printerColumns = Object.entries({
    ...definition.columns,
    Age: 'date .metadata.creationTimestamp',
  }).map(toPrinterColumn);
  return defineCustomKind({
    group: 'networking.cloudflare-operator.io',
    kind,
    plural,
    shortNames,
    scope,
    versions: [{ name: 'v1alpha2', spec, status, printerColumns }],
  });
}

const columnForm = /^(?:(?<type>string|integer|boolean|date) )?(?<jsonPath>\.\S+)(?<wide> wide)?$/;

function toPrinterColumn([name, column]: readonly [string, Column]): PrinterColumn {
  const { type = 'string', jsonPath, wide } = columnForm.exec(column)?.groups ?? {};
  if (jsonPath === undefined) throw new Error(`the column ${name} is neither a path nor a type and a path: ${column}`);
  return { name, type: type as PrinterColumn['type'], jsonPath, ...(wide && { priority: 1 }) };
}

/** What the status of every kind has. */
export const observed = { observedGeneration: z.int().optional(), conditions: conditionList().optional() };

/** Ours, and the one that earlier operators put on such objects. */
export function finalizersOf(resource: string): { finalizer: string; formerFinalizers: readonly string[] } {
  return {
    finalizer: `${resource}.cloudflare-operator.io/finalizer`,
    formerFinalizers: [`${resource}.networking.cloudflare-operator.io/finalizer`],
  };
}
