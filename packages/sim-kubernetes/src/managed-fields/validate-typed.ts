import { goValue } from '../patch/go-value.ts';
import { goQuote } from '../schema/go-format.ts';
import { elementAt, TypedValueError } from './item-element.ts';
import type { ListForm, MapForm, MergeType, ScalarForm } from './merge-type.ts';
import { asList, asMap, fieldType, formOf } from './merge-type.ts';
import { elementText, fieldElement } from './path-element.ts';

type Fault = { readonly path: string; readonly message: string };

/** Throws when a value does not fit its merge type, in the words of the API. */
export function checkTyped(value: unknown, type: MergeType, allowRepeats: boolean): void {
  const faults = faultsOf(value, type, allowRepeats);
  if (faults.length === 0) return;
  const texts = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new TypedValueError(texts.length === 1 ? texts.join('') : ['errors:', ...texts].join('\n  '));
}

function faultsOf(value: unknown, type: MergeType, allowRepeats: boolean): readonly Fault[] {
  const form = formOf(type, value);
  if (form === 'map' && type.map !== undefined) return mapFaults(value, type.map, allowRepeats);
  if (form === 'list' && type.list !== undefined) return listFaults(value, type.list, allowRepeats);
  const message = scalarFault(value, type.scalar);
  return message === undefined ? [] : [{ path: '', message }];
}

function below(element: string, faults: readonly Fault[]): readonly Fault[] {
  if (faults.length === 0) return faults;
  const prefix = elementText(element);
  return faults.map(({ path, message }) => ({ path: prefix + path, message }));
}

function mapFaults(value: unknown, form: MapForm, allowRepeats: boolean): readonly Fault[] {
  if (value === null || value === undefined) return [];
  const map = asMap(value);
  if (map === undefined) return [{ path: '', message: `expected map, got &{${goValue(value)}}` }];
  const faults: Fault[] = [];
  for (const [name, field] of Object.entries(map)) {
    const element = fieldElement(name);
    const type = fieldType(form, name);
    // The server stops at the first field that it does not know.
    if (type === undefined)
      return [...faults, ...below(element, [{ path: '', message: 'field not declared in schema' }])];
    faults.push(...below(element, faultsOf(field, type, allowRepeats)));
  }
  return faults;
}

function listFaults(value: unknown, form: ListForm, allowRepeats: boolean): readonly Fault[] {
  if (value === null || value === undefined) return [];
  const list = asList(value);
  if (list === undefined) return [{ path: '', message: `expected list, got &{${goValue(value)}}` }];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    let element = `i:${index}`;
    if (!form.atomic) {
      try {
        element = elementAt(form, item, index);
      } catch (error) {
        if (!(error instanceof TypedValueError)) throw error;
        return [...faults, { path: '', message: error.message }];
      }
      if (seen.has(element) && !allowRepeats) {
        faults.push({ path: '', message: `duplicate entries for key ${elementText(element)}` });
      }
      seen.add(element);
    }
    faults.push(...below(element, faultsOf(item, form.element, allowRepeats)));
  }
  return faults;
}

function scalarFault(value: unknown, form: ScalarForm = 'untyped'): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (form) {
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goValue(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${goValue(value)}}` : undefined;
    default:
      return form satisfies never;
  }
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  return typeof value === 'object' ? 'map[string]interface {}' : typeof value === 'boolean' ? 'bool' : typeof value;
}

/** A value as Go's `%#v` prints it. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value !== 'object') return `${value as number | boolean}`;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${fields.map(([key, item]) => `${goQuote(key)}:${goSyntax(item)}`).join(', ')}}`;
}
