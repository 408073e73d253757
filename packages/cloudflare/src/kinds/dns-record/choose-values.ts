import { isIPv4, isIPv6 } from 'node:net';

export type Selection = 'First' | 'All' | 'PreferIPv4' | 'PreferIPv6';

/** One record that an address makes. */
export type AddressValue = { readonly type: string; readonly content: string };

/** Which of a source's addresses become records. A type that the user names takes only what fits it. */
export function chooseValues(
  addresses: readonly string[],
  selection: Selection,
  type: string | undefined,
): readonly AddressValue[] {
  const fitting = addresses
    .map((content) => ({ type: typeOf(content), content }))
    .filter((value) => type === undefined || !isAddressType(type) || value.type === type)
    .map(({ type: own, content }) => ({ type: type ?? own, content }));
  if (selection === 'All') return standTogether(fitting);
  const preferred = { First: undefined, PreferIPv4: 'A', PreferIPv6: 'AAAA' }[selection];
  const chosen = fitting.find((value) => value.type === preferred) ?? fitting[0];
  return chosen ? [chosen] : [];
}

/** A CNAME stands alone at its name: beside addresses it gives way, and of several the first one counts. */
function standTogether(values: readonly AddressValue[]): readonly AddressValue[] {
  const others = values.filter(({ type }) => type !== 'CNAME');
  return others.length > 0 ? others : values.slice(0, 1);
}

function typeOf(address: string): string {
  if (isIPv4(address)) return 'A';
  return isIPv6(address) ? 'AAAA' : 'CNAME';
}

function isAddressType(type: string): boolean {
  return type === 'A' || type === 'AAAA' || type === 'CNAME';
}
