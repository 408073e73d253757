/**
 * The names that a listener and a route have in common; `undefined` stands for every name. A wildcard stands for one or
 * more labels, as it does for cloudflared.
 */
export function intersectHosts(
  listener: string | undefined,
  route: readonly string[],
): readonly (string | undefined)[] {
  const all: readonly (string | undefined)[] = route.length === 0 ? [undefined] : route;
  const common = all.flatMap((host) => {
    const both = intersect(lower(listener), lower(host));
    return both.none ? [] : [both.host];
  });
  return [...new Set(common)];
}

type Common = { readonly none: true } | { readonly none: false; readonly host: string | undefined };

function intersect(a: string | undefined, b: string | undefined): Common {
  if (a === undefined || a === b) return { none: false, host: b };
  if (b === undefined || covers(b, a)) return { none: false, host: a };
  return covers(a, b) ? { none: false, host: b } : { none: true };
}

function covers(wildcard: string, host: string): boolean {
  return wildcard.startsWith('*.') && host.endsWith(wildcard.slice(1));
}

function lower(host: string | undefined): string | undefined {
  return host ? host.toLowerCase() : undefined;
}
