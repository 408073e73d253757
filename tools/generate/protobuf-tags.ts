/** What the tag of a Go field says of its JSON. */
export type ProtobufTag = {
  readonly json: string;
  /** The fields of the struct stand in its parent. */
  readonly inline: boolean;
  readonly omitsZero: boolean;
};

const structStart = /^type (\w+) struct \{$/;
// `Name Type`, or an embedded type alone, then the tag.
const tagged = /^\t(?:(\w+)\s+)?(\S.*?)?\s*`([^`]*protobuf:"[^"]*"[^`]*)`/;

/** The tags of all structs of a package by the number that protobuf gives the field. */
export function parseProtobufTags(source: string): ReadonlyMap<string, ReadonlyMap<number, ProtobufTag>> {
  const structs = new Map<string, Map<number, ProtobufTag>>();
  let current: Map<number, ProtobufTag> | undefined;
  for (const line of source.split('\n')) {
    const start = structStart.exec(line)?.[1];
    if (start !== undefined) structs.set(start, (current = new Map<number, ProtobufTag>()));
    else if (line === '}') current = undefined;
    else if (current) readTag(line, current);
  }
  return structs;
}

function readTag(line: string, into: Map<number, ProtobufTag>): void {
  const match = tagged.exec(line);
  const number = Number(/protobuf:"\w+,(\d+)/.exec(match?.[3] ?? '')?.[1]);
  const json = /json:"([^"]*)"/.exec(match?.[3] ?? '')?.[1];
  // What JSON does not show by itself is read by hand, under the name that protobuf has for it.
  if (Number.isNaN(number) || json === undefined || json === '-') return;
  const [name = '', ...options] = json.split(',');
  const pointer = (match?.[2] ?? '').startsWith('*');
  const omits = options.includes('omitempty') || options.includes('omitzero');
  into.set(number, { json: name, inline: options.includes('inline'), omitsZero: omits && !pointer });
}
