import { crc32, deflateRawSync } from 'node:zlib';

type Contents = Readonly<Record<string, string>>;

/** A tar archive as POSIX has it, with a folder and a long name now and then. */
export function tarOf(files: Contents): Buffer<ArrayBuffer> {
  const entries = Object.entries(files).flatMap(([name, text]) =>
    name.length > 100
      ? [entry('././@LongLink', `${name}\0`, 'L'), entry(name.slice(0, 100), text, '0')]
      : [entry(name, text)],
  );
  return Buffer.concat([entry('folder/', '', '5'), ...entries, Buffer.alloc(1024)]);
}

function entry(name: string, text: string, type = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${Buffer.byteLength(text).toString(8).padStart(11, '0')}\0`, 124);
  header.write(type, 156);
  header.write('ustar\0', 257);
  const content = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
  content.write(text);
  return Buffer.concat([header, content]);
}

/** A zip archive: files of more than ten characters are compressed. */
export function zipOf(files: Contents): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const offset = locals.reduce((sum, { length }) => sum + length, 0);
    const method = text.length > 10 ? 8 : 0;
    const data = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(text), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(Buffer.byteLength(text), 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    locals.push(Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), data);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.alloc(2), common, rest, Buffer.from(name));
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(Buffer.concat(locals).length, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}
