import type { DnsRecord } from './record.ts';

type Test = (record: DnsRecord) => boolean;

const operators: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  exact: (value, wanted) => value === wanted,
  contains: (value, wanted) => value.includes(wanted),
  startswith: (value, wanted) => value.startsWith(wanted),
  endswith: (value, wanted) => value.endsWith(wanted),
};

/** The filters of the list call; all of them look past case. */
export function filterRecords(records: readonly DnsRecord[], query: URLSearchParams): readonly DnsRecord[] {
  const tests = [...query].flatMap(([name, value]) => toTest(name, value));
  const tagTests = [...query].flatMap(([name, value]) => toTagTest(name, value));
  const passes = combine(tests, query.get('match') === 'any');
  const passesTags = combine(tagTests, query.get('tag_match') === 'any');
  return sortRecords(
    records.filter((record) => passes(record) && passesTags(record)),
    query,
  );
}

function combine(tests: readonly Test[], any: boolean): Test {
  if (any && tests.length > 0) return (record) => tests.some((test) => test(record));
  return (record) => tests.every((test) => test(record));
}

function toTest(name: string, value: string): readonly Test[] {
  const [field = '', operator = 'exact'] = name.split('.');
  const wanted = value.toLowerCase();
  switch (field) {
    case 'type':
      return [({ type }) => wanted.split(',').includes(type.toLowerCase())];
    case 'proxied':
      return [({ proxied }) => String(proxied) === wanted];
    case 'name':
      return textTest(operator, wanted, (record) => record.name);
    case 'content':
      return textTest(operator, wanted, (record) => record.content);
    case 'comment':
      return commentTest(operator, wanted);
    case 'search':
      return [
        (record) =>
          [record.name, record.content, record.comment ?? '', ...record.tags].some((text) =>
            text.toLowerCase().includes(wanted),
          ),
      ];
    default:
      return [];
  }
}

function textTest(operator: string, wanted: string, textOf: (record: DnsRecord) => string): readonly Test[] {
  const test = operators[operator];
  return test ? [(record) => test(textOf(record).toLowerCase(), wanted)] : [];
}

function commentTest(operator: string, wanted: string): readonly Test[] {
  if (operator === 'present') return [({ comment }) => comment !== null];
  if (operator === 'absent') return [({ comment }) => comment === null];
  return textTest(operator, wanted, ({ comment }) => comment ?? '');
}

/** `tag.exact=owner:dns`, `tag.present=owner`, `tag.contains=owner:d` and so on: the name is always exact. */
function toTagTest(name: string, value: string): readonly Test[] {
  if (name !== 'tag' && !name.startsWith('tag.')) return [];
  const operator = name === 'tag' ? 'exact' : name.slice('tag.'.length);
  const wanted = value.toLowerCase();
  if (operator === 'present') return [(record) => hasTag(record, wanted)];
  if (operator === 'absent') return [(record) => !hasTag(record, wanted)];
  const test = operators[operator];
  const [tagName = '', ...rest] = wanted.split(':');
  const tagValue = rest.join(':');
  return test
    ? [({ tags }) => tags.some((tag) => tagOf(tag).name === tagName && test(tagOf(tag).value, tagValue))]
    : [];
}

function hasTag({ tags }: DnsRecord, name: string): boolean {
  return tags.some((tag) => tagOf(tag).name === name);
}

function tagOf(tag: string): { readonly name: string; readonly value: string } {
  const [name = '', ...rest] = tag.toLowerCase().split(':');
  return { name, value: rest.join(':') };
}

function sortRecords(records: readonly DnsRecord[], query: URLSearchParams): readonly DnsRecord[] {
  const order = query.get('order');
  if (order === null) return records;
  const keys: Readonly<Record<string, (record: DnsRecord) => string | number>> = {
    type: ({ type }) => type,
    name: ({ name }) => name,
    content: ({ content }) => content,
    ttl: ({ ttl }) => ttl,
    proxied: ({ proxied }) => Number(proxied),
  };
  const keyOf = keys[order];
  if (!keyOf) return records;
  const sorted = records.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
  return query.get('direction') === 'desc' ? sorted.toReversed() : sorted;
}
