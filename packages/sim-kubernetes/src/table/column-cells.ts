import { humanDuration } from '../kinds/cells/human-duration.ts';
import type { TableCells, TableColumn } from '../registry/resource-type.ts';
import { isDateTime } from '../schema/formats.ts';
import { goJson, goNumber } from '../schema/go-format.ts';
import { compileJsonPath } from './json-path.ts';

/** A column as a CRD declares it. */
export type PrinterColumn = {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
};

// As the server words them: `kubectl get -o custom-columns` and other clients show them.
const nameDescription =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
const ageDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: ageDescription,
};

/** Name and the columns of a CRD, or Name and Age when it has none. */
export function printerColumns(declared: readonly PrinterColumn[]): TableCells {
  const columns = declared.length === 0 ? [ageColumn] : declared;
  const paths = columns.map(({ jsonPath }) => compileJsonPath(jsonPath));
  return {
    columns: [
      { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 },
      ...columns.map(toColumn),
    ],
    cells: (object, nowMs) => [
      object.metadata.name,
      ...columns.map(({ type }, index) => cellOf(type, paths[index]?.(object)[0], nowMs)),
    ],
  };
}

function toColumn(column: PrinterColumn): TableColumn {
  const { name, type, format = '', jsonPath, priority = 0 } = column;
  const described = column.description === undefined || column.description === '' ? undefined : column.description;
  const description = described ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return { name, type, format, description, priority };
}

function cellOf(type: string, value: unknown, nowMs: number): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateOf(value, nowMs) : null;
    default:
      return null;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goNumber(value);
  return goJson(value);
}

function dateOf(value: string, nowMs: number): string {
  if (value === '') return '<unknown>';
  return isDateTime(value) ? humanDuration(nowMs - Date.parse(value)) : '<invalid>';
}
