import { ApiError } from '../registry/api-error.ts';
import { goQuote } from '../schema/go-format.ts';
import type { ManagedFieldsEntry } from './managed-entries.ts';
import { pathText } from './path-element.ts';
import type { Conflict } from './update-managers.ts';

/** `409 Conflict` with one cause for each field. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const causes = conflicts.map(({ identity, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(identity)}`,
    field: pathText(path),
  }));
  return new ApiError(409, 'Conflict', conflictText(conflicts), { details: { causes } });
}

function conflictText(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.identity)}: ${pathText(first.path)}`;
  }
  const byManager = Map.groupBy(conflicts, ({ identity }) => identity);
  const lines = [...byManager]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([identity, its]) => [
      `conflicts with ${managerText(identity)}:`,
      ...its.map(({ path }) => `- ${pathText(path)}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText(identity: string): string {
  const { manager = '', operation, apiVersion, subresource = '' } = JSON.parse(identity) as ManagedFieldsEntry;
  const name = subresource === '' ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${name} using ${apiVersion ?? ''}` : name;
}
