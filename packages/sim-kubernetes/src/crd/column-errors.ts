import type { FieldError } from '../registry/field-error.ts';
import { childPath, invalidField, keyPath, requiredField } from '../schema/field-errors.ts';
import type { PrinterColumn } from '../table/column-cells.ts';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function columnErrors(columns: readonly PrinterColumn[] | undefined, at: string): readonly FieldError[] {
  return (columns ?? []).flatMap((column, index) => ofColumn(column, keyPath(at, index)));
}

function ofColumn(column: Partial<PrinterColumn>, at: string): readonly FieldError[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredField(childPath(at, 'name')));
  const oneOf = `must be one of ${types.join(',')}`;
  if (type === '') errors.push(requiredField(childPath(at, 'type'), oneOf));
  else if (!types.includes(type)) errors.push(invalidField(childPath(at, 'type'), type, oneOf));
  if (format !== '' && !formats.includes(format)) {
    errors.push(invalidField(childPath(at, 'format'), format, `must be one of ${formats.join(',')}`));
  }
  if (jsonPath === '') errors.push(requiredField(childPath(at, 'JSONPath')));
  else if (!jsonPath.startsWith('.')) {
    errors.push(invalidField(childPath(at, 'JSONPath'), jsonPath, 'must be a simple json path starting with .'));
  }
  return errors;
}
