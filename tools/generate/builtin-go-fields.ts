// OpenAPI does not say which fields Go leaves out when they are empty and which it keeps, but clients see the
// difference (`replicas: 0` stays, `hostNetwork: false` goes). The struct tags in the published Go sources do say it.

export type GoField = {
  readonly json: string;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
};

export type GoStruct = { readonly fields: readonly GoField[]; readonly embeds: readonly string[] };

const structStart = /^type (\w+) struct \{$/;
const embedded = /^\t(?:\w+\.)?(\w+) `json:",inline"/;
// The type is absent where an embedded struct has a name of its own, as ObjectMeta has.
const field = /^\t[\w.]+\s+(\S.*?)?\s*`json:"([^"]+)"/;

/** Reads the structs of one Go file as gofmt writes it. */
export function parseGoStructs(source: string): ReadonlyMap<string, GoStruct> {
  const structs = new Map<string, { fields: GoField[]; embeds: string[] }>();
  let current: { fields: GoField[]; embeds: string[] } | undefined;
  for (const line of source.split('\n')) {
    const start = structStart.exec(line)?.[1];
    if (start !== undefined) {
      current = { fields: [], embeds: [] };
      structs.set(start, current);
    } else if (line === '}') current = undefined;
    else if (current !== undefined) readLine(line, current);
  }
  return structs;
}

/** The fields of a struct with those of the structs embedded in it. */
export function fieldsOf(name: string, structs: ReadonlyMap<string, GoStruct>): readonly GoField[] {
  const found = structs.get(name);
  if (found === undefined) return [];
  return [...found.fields, ...found.embeds.flatMap((embed) => fieldsOf(embed, structs))];
}

function readLine(line: string, into: { fields: GoField[]; embeds: string[] }): void {
  const embed = embedded.exec(line)?.[1];
  if (embed !== undefined) {
    into.embeds.push(embed);
    return;
  }
  const match = field.exec(line);
  if (match?.[2] === undefined) return;
  const [json = '', ...options] = match[2].split(',');
  if (json === '' || json === '-') return;
  into.fields.push({
    json,
    pointer: match[1]?.startsWith('*') === true,
    omitEmpty: options.includes('omitempty'),
    omitZero: options.includes('omitzero'),
  });
}
