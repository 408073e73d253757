const goKinds: Readonly<Record<string, string>> = { number: 'int64', array: 'slice', object: 'map' };

/**
 * The result of a strategic merge patch is not decoded but copied into its struct, and what does not fit is refused in
 * other words than those of the decoder, which are given here.
 */
export function unstructuredProblem(decoding: string): string {
  const parts = /cannot unmarshal (\w+)(?: \S+)? into Go struct field \S+ of type (\S+)$/.exec(decoding);
  const [, found = '', type = ''] = parts ?? [];
  if (!parts) return decoding;
  const kind = goKinds[found] ?? found;
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`;
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`;
  if (type.includes('.')) return `cannot restore struct from: ${kind}`;
  return `cannot convert ${goTypes[found] ?? found} to ${type}`;
}

const goTypes: Readonly<Record<string, string>> = {
  number: 'int64',
  array: '[]interface {}',
  object: 'map[string]interface {}',
};
