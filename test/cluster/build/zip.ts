/** Reads a ZIP archive (APPNOTE 6.3), as far as it is small and its members are stored or deflated. */
import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const member = 0x02014b50;
const deflated = 8;

/** The contents of the members whose names are given. Throws if the archive lacks one. */
export function unzip(archive: Buffer, names: readonly string[]): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const entry of directory(archive))
    if (names.includes(entry.name)) found.set(entry.name, contentOf(archive, entry));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`the archive holds no ${missing.join(', ')}`);
  return found;
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly size: number;
  readonly offset: number;
}

/** The list at the end of the archive; the sizes in front of the members themselves may be missing. */
function* directory(archive: Buffer): Generator<Entry> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== endOfDirectory) throw new Error('this is no ZIP archive');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== member) throw new Error('the list of the ZIP archive is damaged');
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
    yield {
      name: archive.toString('utf8', at + 46, nameEnd),
      method: archive.readUInt16LE(at + 10),
      size: archive.readUInt32LE(at + 20),
      offset: archive.readUInt32LE(at + 42),
    };
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

function contentOf(archive: Buffer, { method, size, offset }: Entry): Buffer {
  const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  const bytes = archive.subarray(start, start + size);
  return method === deflated ? inflateRawSync(bytes) : bytes;
}
