export type ProtoField = {
  readonly number: number;
  readonly name: string;
  /** A scalar, or the full name of a message. */
  readonly type: string;
  readonly shape: 'one' | 'list' | 'map';
};

export type ProtoMessage = { readonly name: string; readonly fields: readonly ProtoField[] };

const field = /^\s*(optional|repeated|required)\s+([\w.]+)\s+(\w+)\s*=\s*(\d+)/;
const mapField = /^\s*map<\w+,\s*([\w.]+)>\s+(\w+)\s*=\s*(\d+)/;

/** Reads a .proto file of Kubernetes: proto2, no nested messages, no enumerations. */
export function parseProto(source: string): { readonly name: string; readonly messages: readonly ProtoMessage[] } {
  const name = /^package ([\w.]+);/m.exec(source)?.[1] ?? '';
  const messages = Array.from(source.matchAll(/^message (\w+) \{\n([^]*?)^\}/gm), ([, message = '', body = '']) => ({
    name: message,
    fields: body.split('\n').flatMap((line) => readField(line, name)),
  }));
  return { name, messages };
}

function readField(line: string, home: string): readonly ProtoField[] {
  const map = mapField.exec(line);
  if (map) return [{ number: Number(map[3]), name: map[2] ?? '', type: fullName(map[1] ?? '', home), shape: 'map' }];
  const plain = field.exec(line);
  if (!plain) return [];
  const shape = plain[1] === 'repeated' ? 'list' : 'one';
  return [{ number: Number(plain[4]), name: plain[3] ?? '', type: fullName(plain[2] ?? '', home), shape }];
}

const scalar = /^(string|bool|bytes|double|float|u?int(32|64))$/;

function fullName(type: string, home: string): string {
  if (scalar.test(type)) return type;
  return type.startsWith('.') ? type.slice(1) : `${home}.${type}`;
}
