import { conditionList, defineCustomKind } from '@tributary/runtime';
import type { CustomKind, PrinterColumn } from '@tributary/runtime';
import { z } from 'zod';

/** `.json.path`, before it the type where it is not text, behind it `wide` where only `-o wide` shows it. */
type Column = string;

type Definition<Spec extends z.ZodType<object>, Status extends z.ZodType<object>> = {
  /** The kind in lower case with an `s` when absent. */
  readonly plural?: string;
  readonly spec: Spec;
  readonly status: Status;
  /** What `kubectl get` shows between the name and the age. */
  readonly columns: Readonly<Record<string, Column>>;
};

type OneVersion<Spec extends z.ZodType<object>, Status extends z.ZodType<object>> = readonly [
  { readonly name: 'v1alpha2'; readonly spec: Spec; readonly status: Status },
];

/** A kind of ours as nearly all are: one version, and a table that ends with the age. */
function defineKindOf(scope: 'Namespaced' | 'Cluster') {
  return <Spec extends z.ZodType<object>, Status extends z.ZodType<object>>(
    kind: string,
    shortNames: readonly string[],
    { plural = `${kind.toLowerCase()}s`, spec, status, columns }: Definition<Spec, Status>,
  ): CustomKind<OneVersion<Spec, Status>> => {
    const all = { ...columns, Age: 'date .metadata.creationTimestamp' };
    const printerColumns = Object.entries(all).map(toPrinterColumn);
    return defineCustomKind({
      group: 'networking.cloudflare-operator.io',
      kind,
      plural,
      shortNames,
      scope,
      versions: [{ name: 'v1alpha2', spec, status, printerColumns }],
    });
  };
}

export const defineNamespacedKind = defineKindOf('Namespaced');
export const defineClusterKind = defineKindOf('Cluster');

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
