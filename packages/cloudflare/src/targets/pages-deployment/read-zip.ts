import { inflateRawSync } from 'node:zlib';
import type { Files } from './upload-files.ts';

const endMark = 0x06_05_4b_50;
const entryMark = 0x02_01_4b_50;
const endBytes = 22;

/** The files of a zip archive, by the directory at its end. */
export function readZip(archive: Uint8Array, mostBytes: number): Files {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const files = new Map<string, Uint8Array>();
  let at = bytes.readUInt32LE(end + 16);
  let room = mostBytes;
  for (let nth = 0; nth < count; nth += 1) {
    if (bytes.readUInt32LE(at) !== entryMark) throw new Error('the directory of the archive is broken');
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    if (!name.endsWith('/')) {
      const content = contentOf(bytes, at, room);
      room -= content.length;
      files.set(name, content);
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

/** A comment of any length may stand behind it. */
function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - endBytes; at >= 0; at -= 1) if (bytes.readUInt32LE(at) === endMark) return at;
  throw new Error('not a zip archive');
}

function contentOf(bytes: Buffer, entry: number, room: number): Uint8Array {
  const method = bytes.readUInt16LE(entry + 10);
  const size = bytes.readUInt32LE(entry + 20);
  const local = bytes.readUInt32LE(entry + 42);
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const stored = bytes.subarray(from, from + size);
  if (method === 0) return stored;
  if (method !== 8) throw new Error(`unknown compression ${method}`);
  return inflateRawSync(stored, { maxOutputLength: Math.max(1, room) });
}
