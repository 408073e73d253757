/** Makes texts of the API safe to show: secrets out, size bounded, everything else left as it was. */

const censored = '[redacted]';
const longestText = 2000;
/** Shorter ones would blot out ordinary words. */
const shortestSecret = 6;

/** Credentials as they look in a text, whoever they belong to. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/giu, `$1 ${censored}`],
  [/\b(x-auth-key|x-auth-user-service-key|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;]+/giu, `$1$2${censored}`],
  [
    /\b((?:tunnel|client)_secret|TunnelSecret|api_?(?:token|key)|password|token)(["']?\s*[:=]\s*["']?)[^\s"',;}]{16,}/giu,
    `$1$2${censored}`,
  ],
  // A JSON object in base64: a signed token, or the token that runs a tunnel.
  [/\beyJ[\w+/=.-]{16,}/gu, censored],
];

const secretNames: ReadonlySet<string> = new Set([
  'apikey',
  'apitoken',
  'authorization',
  'clientsecret',
  'password',
  'privatekey',
  'secret',
  'token',
  'tunnelsecret',
]);

/** A function that takes these secrets, and all that look like secrets, out of a text. */
export function createSanitise(secrets: readonly string[]): (text: string) => string {
  // The longest first, or the rest of one that contains another would stay.
  const known = secrets.filter(({ length }) => length >= shortestSecret).toSorted((a, b) => b.length - a.length);
  return (text) => {
    const withoutKnown = known.reduce((masked, secret) => masked.replaceAll(secret, censored), text);
    const safe = patterns.reduce(
      (masked, [pattern, replacement]) => masked.replace(pattern, replacement),
      withoutKnown,
    );
    return safe.length > longestText ? `${safe.slice(0, longestText)}…` : safe;
  };
}

/** The secrets that a request carries in its body, which an answer may quote. */
export function secretsInBody(body: string | undefined): readonly string[] {
  if (body === undefined) return [];
  try {
    return collect(JSON.parse(body), false);
  } catch {
    return [];
  }
}

function collect(value: unknown, secret: boolean): readonly string[] {
  if (typeof value === 'string') return secret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  // A variable of Pages says of itself that it is one.
  const isSecret = secret || ('type' in value && value.type === 'secret_text');
  return Object.entries(value).flatMap(([name, field]) =>
    collect(field, isSecret || secretNames.has(name.toLowerCase().replaceAll(/[-_]/gu, ''))),
  );
}
