import { canonicalJson } from '@tributary/runtime';

/** An entry of one of the lists as the API has it; of foreign ones every field is kept. */
export type Entry = {
  readonly address?: string;
  readonly host?: string;
  readonly suffix?: string;
  readonly description?: string;
  readonly dns_server?: readonly string[];
};

/** What an entry is about. A list has each once. */
export function placeOf({ address, host, suffix }: Entry): string {
  return (address ?? host ?? suffix ?? '').toLowerCase();
}

/** Whether two entries about the same do the same: descriptions are for people. */
export function isSameEffect(one: Entry, other: Entry): boolean {
  return canonicalJson(serversOf(one)) === canonicalJson(serversOf(other));
}

function serversOf({ dns_server: servers = [] }: Entry): readonly string[] {
  return servers.toSorted();
}

/** Whether two lists say the same; the order means nothing. */
export function isSameList(one: readonly Entry[], other: readonly Entry[]): boolean {
  return textOf(one) === textOf(other);
}

function textOf(entries: readonly Entry[]): string {
  return entries
    .map((entry) => canonicalJson([placeOf(entry), entry.description ?? '', serversOf(entry)]))
    .toSorted()
    .join();
}
