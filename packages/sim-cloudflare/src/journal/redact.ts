/** Fields whose value nobody may read later, wherever they stand in a body. */
const secretFields = new Set([
  'tunnel_secret',
  'client_secret',
  'secret',
  'private_key',
  'password',
  'token',
  'api_key',
  'api_token',
]);

export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  const isSecret = 'type' in value && value.type === 'secret_text';
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      const hidden = secretFields.has(key) || (isSecret && key === 'value');
      return [key, hidden ? '[redacted]' : redact(held)];
    }),
  );
}
