/**
 * Order of resource versions, as Kubernetes documents it for objects of one resource type: positive decimals without
 * leading zeros compare as numbers of any length. Anything else is opaque, and only equality means something.
 * The reasons are in docs/adr/0004-comparing-resource-versions.md.
 */
export function compareResourceVersions(left: string, right: string): number | undefined {
  if (left === right) return 0;
  if (!isDecimal(left) || !isDecimal(right)) return undefined;
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : 1;
}

/** True when `version` is known to be `wanted` or later. */
export function isAtLeast(version: string | undefined, wanted: string): boolean {
  if (version === undefined) return false;
  const order = compareResourceVersions(version, wanted);
  return order !== undefined && order >= 0;
}

/** True when `version` is known to be earlier than `other`. */
export function isEarlier(version: string | undefined, other: string | undefined): boolean {
  if (version === undefined || other === undefined) return false;
  const order = compareResourceVersions(version, other);
  return order !== undefined && order < 0;
}

function isDecimal(version: string): boolean {
  const first = version.charCodeAt(0);
  if (!(first > 48 && first <= 57)) return false;
  for (let index = 1; index < version.length; index += 1) {
    const code = version.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
