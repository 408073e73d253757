import { ApiError, notAcceptable } from '../registry/api-error.ts';
import type { ApiRequest } from './api-request.ts';

/** The form in which objects are answered. */
export type Shape = 'object' | 'table' | 'partial' | 'partial-list';
export type Negotiated = {
  readonly format: 'json' | 'yaml';
  readonly shape: Shape;
  /** Version of meta.k8s.io that a Table or a PartialObjectMetadata was asked in. */
  readonly metaVersion: string;
  readonly pretty: boolean;
};

export type MediaRange = { readonly type: string; readonly parameters: Readonly<Record<string, string>> };

const builtinTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Chooses among what the caller accepts, in its order; 406 when there is nothing that we can write. */
export function negotiate({ headers, query }: ApiRequest, forms: 'all' | 'no-table' | 'none' = 'all'): Negotiated {
  const accept = headers['accept'];
  const pretty = isPretty(query.get('pretty'), headers['user-agent'] ?? '');
  if (accept === undefined || accept === '') return { format: 'json', shape: 'object', metaVersion: 'v1', pretty };
  const ranges = parseAccept(accept);
  for (const range of ranges) {
    const format = formatOf(range.type);
    const shape = shapeOf(range.parameters);
    if (format === undefined || shape === undefined) continue;
    if (shape !== 'object' && forms === 'none') continue;
    if (shape === 'table' && forms === 'no-table') continue;
    return { format, shape, metaVersion: range.parameters['v'] ?? 'v1', pretty };
  }
  // The router refuses what no part of the server writes; behind it the form of the answer is what cannot be had.
  if (ranges.some(({ type }) => builtinTypes.includes(type))) throw notAcceptable(builtinTypes);
  const text = `406: Not Acceptable\n\nAvailable representations: ${builtinTypes.join(', ')}`;
  throw new ApiError(406, 'NotAcceptable', text, { details: {} });
}

/** For a page that is written in one type only. */
export function checkTakes({ headers }: Pick<ApiRequest, 'headers'>, type: string): void {
  const ranges = parseAccept(headers['accept'] ?? '*/*').map((range) => range.type);
  if (ranges.some((range) => range === '*/*' || range === type)) return;
  throw new ApiError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${type}`, {
    details: {},
  });
}

/** A watch is written in other types than a list. */
export function checkWatchable({ format }: Negotiated): void {
  if (format === 'yaml') {
    throw notAcceptable(['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']);
  }
}

/** Ranges with the most wanted first; those of equal weight stay in the order of the header. */
export function parseAccept(accept: string): readonly MediaRange[] {
  return accept
    .split(',')
    .map((part) => parseMediaType(part))
    .map((range) => ({ range, quality: Number(range.parameters['q'] ?? '1') }))
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range);
}

export function parseMediaType(text: string): MediaRange {
  const [type = '', ...rest] = text.split(';');
  const parameters: Record<string, string> = {};
  for (const parameter of rest) {
    const [key = '', value = ''] = parameter.split('=', 2);
    parameters[key.trim()] = value.trim().replaceAll('"', '');
  }
  return { type: type.trim().toLowerCase(), parameters };
}

function formatOf(type: string): 'json' | 'yaml' | undefined {
  // A range of a type's subtypes is not understood, only the range of everything.
  if (type === 'application/json' || type === '*/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

function shapeOf(parameters: Readonly<Record<string, string>>): Shape | undefined {
  const { as, g: group, v: version } = parameters;
  if (as === undefined) return 'object';
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  if (as === 'Table') return 'table';
  if (as === 'PartialObjectMetadataList') return 'partial-list';
  return as === 'PartialObjectMetadata' ? 'partial' : undefined;
}

/** People look at answers with these programs, so the server indents for them. */
const readers = ['curl', 'Wget', 'Mozilla/5.0'];

function isPretty(asked: string | null, userAgent: string): boolean {
  if (asked !== null && asked !== '') return asked === '1' || asked === 'true';
  return readers.some((reader) => userAgent.startsWith(reader));
}
