import type { Files } from './upload-files.ts';

const block = 512;

/** The files of a tar archive; links, folders and devices are left out. Long names are read as GNU and POSIX write them. */
export function readTar(archive: Uint8Array): Files {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const files = new Map<string, Uint8Array>();
  let longName: string | undefined;
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0;) {
    const header = bytes.subarray(at, at + block);
    const size = Number.parseInt(textOf(header, 124, 12).trim() || '0', 8);
    if (!Number.isInteger(size) || textOf(header, 257, 5) !== 'ustar') throw new Error('not a tar archive');
    const content = bytes.subarray(at + block, at + block + size);
    if (content.length < size) throw new Error('the archive is cut off');
    const type = textOf(header, 156, 1);
    if (type === 'L') longName = content.toString().replace(/\0.*$/s, '');
    else if (type === 'x') longName = paxPath(content.toString()) ?? longName;
    else {
      if (type === '' || type === '0') files.set(longName ?? nameOf(header), content);
      longName = undefined;
    }
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}

function nameOf(header: Buffer): string {
  const prefix = textOf(header, 345, 155);
  return `${prefix === '' ? '' : `${prefix}/`}${textOf(header, 0, 100)}`;
}

/** Records of the form `27 path=long/name\n`. */
function paxPath(records: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(records)?.[1];
}

function textOf(header: Buffer, from: number, length: number): string {
  return header
    .subarray(from, from + length)
    .toString()
    .replace(/\0.*$/s, '');
}
