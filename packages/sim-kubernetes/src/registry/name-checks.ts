import type { NameCheck } from './resource-type.ts';

// What names, labels and finalizers may look like, in the words of the API.

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${labelKey})?`;

const labelForm = whole(label);
const subdomainForm = whole(subdomain);
const label1035Form = whole(label1035);
const labelKeyForm = whole(labelKey);
const labelValueForm = whole(labelValue);

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const label1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const labelKeyText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** Most kinds: lower case, digits, dashes and dots, up to 253 characters. */
export const subdomainName: NameCheck = (name, prefix) => checkSubdomain(prefix ? maskDash(name) : name);

/** Namespaces and a few others: as a subdomain without dots, up to 63 characters. */
export const labelName: NameCheck = (name, prefix) => checkLabel(prefix ? maskDash(name) : name);

/** RBAC kinds and the least that any name must keep: it has to fit in a path. */
export const pathSegmentName: NameCheck = (name, prefix) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

export function checkSubdomain(text: string, unit: LengthUnit = 'characters'): readonly string[] {
  const problems = tooLong(text, 253, unit);
  if (!subdomainForm.test(text)) problems.push(mismatch(subdomainText, subdomain, ['example.com']));
  return problems;
}

export function checkLabel(text: string): readonly string[] {
  const problems = tooLong(text, 63);
  if (labelForm.test(text)) return problems;
  problems.push(
    subdomainForm.test(text) ? 'must not contain dots' : mismatch(labelText, label, ['my-name', '123-abc']),
  );
  return problems;
}

/** Kinds, plurals and versions of custom resources: a label that begins with a letter. */
export function checkLabel1035(text: string): readonly string[] {
  const problems = tooLong(text, 63);
  if (!label1035Form.test(text)) problems.push(mismatch(label1035Text, label1035, ['my-name', 'abc-123']));
  return problems;
}

/** Keys of labels and annotations, finalizers: a name with an optional subdomain and slash before it. */
export function checkQualifiedName(text: string): readonly string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${keyMismatch()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const problems: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...checkSubdomain(prefix, 'bytes').map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  problems.push(...tooLong(name, 63, 'bytes').map((problem) => `name part ${problem}`));
  if (!labelKeyForm.test(name)) problems.push(`name part ${keyMismatch()}`);
  return problems;
}

export function checkLabelValue(text: string): readonly string[] {
  const problems = tooLong(text, 63, 'bytes');
  if (!labelValueForm.test(text)) {
    problems.push(mismatch(labelValueText, labelValue, ['MyValue', 'my_value', '12345']));
  }
  return problems;
}

const keyMismatch = (): string => mismatch(labelKeyText, labelKey, ['MyName', 'my.name', '123-abc']);

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

/** Both are counted in bytes; the older checks of the server say characters. */
type LengthUnit = 'characters' | 'bytes';

function tooLong(text: string, max: number, unit: LengthUnit = 'characters'): string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : [];
}

function mismatch(text: string, pattern: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${text} (e.g. ${list}regex used for validation is '${pattern}')`;
}

/** A generateName may end in a dash, since something follows it. */
function maskDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Built-in kinds take a name without a domain only from those that Kubernetes itself uses. */
export function checkFinalizer(name: string): readonly string[] {
  if (name.includes('/') || standardFinalizers.has(name)) return [];
  return ['name is neither a standard finalizer name nor is it fully qualified'];
}
