/** RFC 3986, strictly: of the marks only `-`, `_`, `.` and `~` stay as they are. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Names in order, names and values encoded anew: clients leave `( ) * !` bare on the wire, or write a space as `+`,
 * and sign the strict form.
 */
export function canonicalQuery(pairs: Iterable<readonly [string, string]>): string {
  return [...pairs]
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join('&');
}
