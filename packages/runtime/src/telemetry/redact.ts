import { toErrorFields } from './error-fields.ts';

export const censored = '[redacted]';

/** Names of fields whose value is a secret, in small letters and without `-`, `_` and `.`. */
const secretNames: ReadonlySet<string> = new Set([
  'accesskeyid',
  'accesskeysecret',
  'accesstoken',
  'apikey',
  'apitoken',
  'authorization',
  'bearertoken',
  'clientsecret',
  'cookie',
  'credential',
  'credentials',
  'idtoken',
  'passphrase',
  'passwd',
  'password',
  'privatekey',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'secretkey',
  'securitytoken',
  'setcookie',
  'signature',
  'token',
  'tunnelsecret',
  'tunneltoken',
  'xauthkey',
]);

/** Credentials inside a text, as headers and URLs carry them. */
const inText: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/giu, `$1 ${censored}`],
  [/(:\/\/[^\s/:@]+:)[^\s/@]+@/gu, `$1${censored}@`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/gu, censored],
];

const deepest = 10;

/**
 * A function that makes log fields safe to write: what has the name of a secret, the data of a Secret wherever it
 * appears, and credentials inside texts are replaced. Errors become plain fields. The input is not changed.
 */
export function createRedact(extraNames: readonly string[] = []): (value: unknown) => unknown {
  const names = new Set([...secretNames, ...extraNames.map(plain)]);
  const redactFields = (value: object, depth: number): object => {
    const isSecret = (value as { kind?: unknown }).kind === 'Secret';
    return Object.fromEntries(
      Object.entries(value).map(([name, field]: [string, unknown]) => {
        if (isSecret && (name === 'data' || name === 'stringData')) return [name, censorAll(field)];
        return [name, names.has(plain(name)) ? censorAll(field) : redact(field, depth + 1)];
      }),
    );
  };
  const redact = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > deepest) return '[too deep]';
    if (value instanceof Error) return redactFields(toErrorFields(value), depth);
    if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
    // A Date, URL or Buffer: pino writes it by its toJSON.
    if ('toJSON' in value && typeof value.toJSON === 'function') return redact(value.toJSON(), depth + 1);
    return redactFields(value, depth);
  };
  return (value) => redact(value);
}

export function redactText(text: string): string {
  return inText.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/** Which keys there are may be told, what they hold may not. */
function censorAll(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || Array.isArray(value)) return censored;
  return Object.fromEntries(Object.keys(value).map((name) => [name, censored]));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_.]/g, '');
}
