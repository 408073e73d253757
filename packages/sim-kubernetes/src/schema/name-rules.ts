// What names, labels and their keys may look like, in the words of the API server. Several sentences may apply.

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const dns1123LabelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const dns1123SubdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const dns1035LabelText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const qualifiedText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

export function dns1123LabelErrors(text: string): readonly string[] {
  return [...tooLong(text, 63), ...mismatch(text, label, dns1123LabelText, ['my-name', '123-abc'])];
}

export function dns1123SubdomainErrors(text: string): readonly string[] {
  return [...tooLong(text, 253), ...mismatch(text, `${label}(\\.${label})*`, dns1123SubdomainText, ['example.com'])];
}

export function dns1035LabelErrors(text: string): readonly string[] {
  return [
    ...tooLong(text, 63),
    ...mismatch(text, '[a-z]([-a-z0-9]*[a-z0-9])?', dns1035LabelText, ['my-name', 'abc-123']),
  ];
}

export function labelValueErrors(text: string): readonly string[] {
  const pattern = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';
  return [...tooLong(text, 63), ...mismatch(text, pattern, labelValueText, ['MyValue', 'my_value', '12345'])];
}

/** The key of a label or an annotation, a finalizer: a name with an optional domain in front. */
export function qualifiedNameErrors(text: string): readonly string[] {
  const parts = text.split('/');
  const pattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
  const examples = ['MyName', 'my.name', '123-abc'];
  if (parts.length > 2) {
    const shape = withExamples(qualifiedText.replace('name part', 'a qualified name'), pattern, examples);
    return [`${shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? domainErrors(parts[0] ?? '') : [];
  if (name === '')
    return [...domain, 'name part must be non-empty', ...mismatch(name, pattern, qualifiedText, examples)];
  return [
    ...domain,
    ...tooLong(name, 63).map((text) => `name part ${text}`),
    ...mismatch(name, pattern, qualifiedText, examples),
  ];
}

function domainErrors(domain: string): readonly string[] {
  if (domain === '') return ['prefix part must be non-empty'];
  return dns1123SubdomainErrors(domain).map((text) => `prefix part ${text}`);
}

function tooLong(text: string, max: number): readonly string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} bytes`] : [];
}

function mismatch(text: string, pattern: string, sentence: string, examples: readonly string[]): readonly string[] {
  return new RegExp(`^${pattern}$`).test(text) ? [] : [withExamples(sentence, pattern, examples)];
}

function withExamples(sentence: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}'`).join(',  or ');
  return `${sentence} (e.g. ${quoted}, regex used for validation is '${pattern}')`;
}
