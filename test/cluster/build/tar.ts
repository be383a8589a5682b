/** Writes archives in the format ustar (POSIX.1-1988). */

interface Member {
  readonly name: string;
  readonly content?: Buffer;
  readonly mode?: number;
}

const block = 512;

/** An archive of files, and of folders, whose names end with a slash. Names have at most 100 bytes. */
export function tar(members: readonly Member[]): Buffer {
  const parts = members.flatMap(({ name, content = Buffer.alloc(0), mode = 0o644 }) => [
    header(name, mode, content.length),
    content,
    Buffer.alloc((block - (content.length % block)) % block),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

function header(name: string, mode: number, size: number): Buffer {
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, width: number): number =>
    bytes.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at);
  bytes.write(name, 0, 100);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  bytes.write(name.endsWith('/') ? '5' : '0', 156);
  bytes.write('ustar\x0000', 257);
  // The sum is taken over the header with spaces in its own place.
  bytes.fill(' ', 148, 156);
  bytes.write(
    `${bytes
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return bytes;
}
