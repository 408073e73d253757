import { ApiError, badRequest, invalid } from '../registry/api-error.ts';
import type { FieldError } from '../registry/field-error.ts';
import type { StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { checkDryRun } from '../rest/delete-options.ts';
import { parseFieldSelector, readTerms } from '../rest/field-selector.ts';
import { parseLabelSelector } from '../rest/label-selector.ts';
import type { FieldValidation } from '../rest/rest-deps.ts';
import { forbiddenField, invalidField, requiredField, tooLongField, unsupportedField } from '../schema/field-errors.ts';

export type ListOptions = {
  readonly watch: boolean;
  readonly matches: ((object: StoredObject) => boolean) | undefined;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
};

export type WriteOptions = {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
};

/** `watched`: by the path, whatever the query says of it. */
export function parseListOptions(
  query: URLSearchParams,
  type: ResourceType,
  name: string,
  watched = false,
): ListOptions {
  const options = {
    watch: boolOf(query, 'watch') ?? false,
    limit: intOf(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: boolOf(query, 'sendInitialEvents'),
    allowWatchBookmarks: boolOf(query, 'allowWatchBookmarks') ?? false,
    timeoutSeconds: intOf(query, 'timeoutSeconds'),
  };
  const defaulted = withWatchListDefaults(options);
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  readTerms(query.get('fieldSelector') ?? '');
  const errors = defaulted.watch ? watchErrors(defaulted) : listErrors(defaulted);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  const fields = parseFieldSelector(fieldSelectorOf(query, name), type);
  checkResourceVersion({ ...defaulted, watch: defaulted.watch || watched });
  // One zero is refused above; several are no version, so no exact one is meant.
  const several = /^00+$/.test(defaulted.resourceVersion) && defaulted.resourceVersionMatch === 'Exact';
  const version = several ? { resourceVersion: '', resourceVersionMatch: '' } : {};
  return {
    ...defaulted,
    ...version,
    matches: both(labels && ((object) => labels(object.metadata.labels ?? {})), fields),
  };
}

type Unselected = Omit<ListOptions, 'matches'>;

/** A watch without a resourceVersion is a list and a watch: since 1.34 the server treats it as one that asked so. */
function withWatchListDefaults(options: Unselected): Unselected {
  const { watch, resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  if (!watch || sendInitialEvents !== undefined || resourceVersionMatch !== '') return options;
  if (resourceVersion !== '' && resourceVersion !== '0') return options;
  return { ...options, resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true };
}

function fieldSelectorOf(query: URLSearchParams, name: string): string {
  const selector = query.get('fieldSelector') ?? '';
  if (name === '') return selector;
  if (selector === '') return `metadata.name=${name}`;
  const own = selector.split(',').some((term) => term === `metadata.name=${name}` || term === `metadata.name==${name}`);
  if (!own) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return selector;
}

function both(
  a: ((object: StoredObject) => boolean) | undefined,
  b: ((object: StoredObject) => boolean) | undefined,
): ((object: StoredObject) => boolean) | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return (object) => a(object) && b(object);
}

const greatestVersion = 2n ** 64n - 1n;

/** What is wrong with a resourceVersion as Go reads it. */
export function versionProblem(resourceVersion: string): string | undefined {
  const digits = /^\d+$/.test(resourceVersion);
  if (resourceVersion === '' || (digits && BigInt(resourceVersion) <= greatestVersion)) return undefined;
  const quoted = JSON.stringify(resourceVersion);
  const problem = digits ? 'value out of range' : 'invalid syntax';
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${problem}`;
}

function checkResourceVersion({ watch, resourceVersion }: Unselected): void {
  const text = versionProblem(resourceVersion);
  if (text === undefined) return;
  // The real server answers a watch with 500 here and a list with 400.
  if (watch) throw new ApiError(500, '', text);
  throw badRequest(`invalid resource version: ${text}`);
}

const matchField = 'resourceVersionMatch';
const notWithContinue = 'resourceVersionMatch is forbidden when continue is provided';

function listErrors({ resourceVersionMatch: match, resourceVersion, ...options }: Unselected): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(forbiddenField(matchField, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (options.continue !== '') errors.push(forbiddenField(matchField, notWithContinue));
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(unsupportedField(matchField, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbiddenField(matchField, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors({ resourceVersionMatch: match, sendInitialEvents, ...options }: Unselected): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    const text = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
    errors.push(forbiddenField(matchField, text));
  }
  if (match === '') return errors;
  if (sendInitialEvents === undefined) {
    const text = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
    errors.push(forbiddenField(matchField, text));
  }
  if (match !== 'NotOlderThan') errors.push(unsupportedField(matchField, match, ['NotOlderThan']));
  if (options.continue !== '') errors.push(forbiddenField(matchField, notWithContinue));
  return errors;
}

/** `kind` names the options in an error: CreateOptions, UpdateOptions, PatchOptions. */
export function parseWriteOptions(query: URLSearchParams, kind: string, apply = false): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = boolOf(query, 'force');
  const errors: FieldError[] = [];
  if (kind === 'PatchOptions') {
    if (apply && fieldManager === '') errors.push(requiredField('fieldManager', 'is required for apply patch'));
    if (!apply && force !== undefined) {
      errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
    }
  }
  if (fieldManager.length > 128) errors.push(tooLongField('fieldManager', 128));
  const odd = /[\p{C}\p{Zl}\p{Zp}]/u.exec(fieldManager);
  if (odd !== null) errors.push(invalidField('fieldManager', fieldManager, oddCharacter(odd[0], odd.index)));
  errors.push(...checkDryRun(dryRun));
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    errors.push(unsupportedField('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  const validation = (fieldValidation === '' ? 'Warn' : fieldValidation) as FieldValidation;
  return { dryRun: dryRun.length > 0, fieldManager, fieldValidation: validation, force };
}

function oddCharacter(char: string, index: number): string {
  const code = char.codePointAt(0) ?? 0;
  return `invalid character U+${code.toString(16).toUpperCase().padStart(4, '0')} (at position ${index})`;
}

const goDuration = /^[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;

/** How long the caller will wait; only its form counts here. */
export function checkTimeout(value: string): void {
  if (value === '' || goDuration.test(value)) return;
  const problem = /^[+-]?[\d.]+$/.test(value) ? 'missing unit in duration' : 'invalid duration';
  throw badRequest(`invalid timeout specified in the request URL - time: ${problem} ${JSON.stringify(value)}`);
}

export function boolOf(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return value.toLowerCase() !== 'false' && value !== '0';
}

export function intOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const digits = /^[+-]?\d+$/.test(value);
  if (digits && BigInt.asIntN(64, BigInt(value)) === BigInt(value)) return Number(value);
  const problem = digits ? 'value out of range' : 'invalid syntax';
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${problem}`);
}
