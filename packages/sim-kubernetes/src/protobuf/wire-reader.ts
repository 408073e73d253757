/** One field of a message as it stands on the wire. */
export type WireField = {
  readonly number: number;
  readonly value:
    | { readonly kind: 'integer'; readonly integer: bigint }
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
    | { readonly kind: 'double'; readonly double: number };
};

/** Splits a message into its fields, in order. Throws a RangeError when the bytes are no message. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  const reader = createReader(bytes);
  while (!reader.atEnd()) {
    const tag = Number(reader.varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        yield { number, value: { kind: 'integer', integer: reader.varint() } };
        break;
      case 1:
        yield { number, value: { kind: 'double', double: reader.double() } };
        break;
      case 2:
        yield { number, value: { kind: 'bytes', bytes: reader.bytes() } };
        break;
      case 5:
        yield { number, value: { kind: 'double', double: reader.float() } };
        break;
      default:
        throw new RangeError(`proto: illegal wireType ${tag & 7}`);
    }
  }
}

/** Numbers that a list holds in one field. */
export function readPacked(bytes: Uint8Array): readonly bigint[] {
  const reader = createReader(bytes);
  const numbers: bigint[] = [];
  while (!reader.atEnd()) numbers.push(reader.varint());
  return numbers;
}

type Reader = {
  readonly atEnd: () => boolean;
  readonly varint: () => bigint;
  readonly bytes: () => Uint8Array;
  readonly double: () => number;
  readonly float: () => number;
};

function createReader(bytes: Uint8Array): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (count: number): number => {
    const start = at;
    at += count;
    if (at > bytes.length) throw new RangeError('unexpected EOF');
    return start;
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[take(1)] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new RangeError('proto: integer overflow');
  };
  return {
    atEnd: () => at >= bytes.length,
    varint,
    bytes: () => {
      const length = Number(varint());
      if (length < 0) throw new RangeError('proto: negative length found during unmarshaling');
      const start = take(length);
      return bytes.subarray(start, at);
    },
    double: () => view.getFloat64(take(8), true),
    float: () => view.getFloat32(take(4), true),
  };
}
