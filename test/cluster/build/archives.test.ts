import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { imageArchive } from './oci.ts';
import { tar } from './tar.ts';
import { unzip } from './zip.ts';

describe('archives in the format ustar', () => {
  it('are read by tar, with modes and contents', () => {
    const archive = tar([
      { name: 'folder/', mode: 0o755 },
      { name: 'folder/empty' },
      { name: 'program', content: Buffer.alloc(1025, 'x'), mode: 0o755 },
    ]);
    const list = execFileSync('tar', ['-tv'], { input: archive, encoding: 'utf8' });
    const lines = list.trim().split('\n');
    assert.match(lines[0] ?? '', /^drwxr-xr-x .* folder\/$/);
    assert.match(lines[1] ?? '', /^-rw-r--r-- .* 0 .* folder\/empty$/);
    assert.match(lines[2] ?? '', /^-rwxr-xr-x .* 1025 .* program$/);
    const content = execFileSync('tar', ['-xO', 'program'], { input: archive, encoding: 'utf8' });
    assert.equal(content, 'x'.repeat(1025));
  });
});

describe('the archive of an image', () => {
  const archive = imageArchive({ names: ['a:1', 'b:2'], program: 'p', content: Buffer.from('code'), user: 65532 });
  const read = (name: string): Buffer => execFileSync('tar', ['-xO', name], { input: archive });
  const json = (name: string): never => JSON.parse(read(name).toString()) as never;

  it('names every blob after its digest, from the index down to the program', () => {
    const index: { manifests: { digest: string; annotations: Record<string, string> }[] } = json('index.json');
    assert.deepEqual(
      index.manifests.map(({ annotations }) => annotations['io.containerd.image.name']),
      ['a:1', 'b:2'],
    );
    const blob = (digest: string): string => `blobs/${digest.replace(':', '/')}`;
    const manifest: { config: { digest: string }; layers: { digest: string; size: number }[] } = json(
      blob(index.manifests[0]?.digest ?? ''),
    );
    const config: { config: object; rootfs: { diff_ids: string[] } } = json(blob(manifest.config.digest));
    assert.deepEqual(config.config, { Entrypoint: ['/p'], User: '65532:65532', WorkingDir: '/' });
    const [layer] = manifest.layers;
    assert.deepEqual(config.rootfs.diff_ids, [layer?.digest]);
    const bytes = read(blob(layer?.digest ?? ''));
    assert.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, layer?.digest);
    assert.equal(execFileSync('tar', ['-xO', 'p'], { input: bytes, encoding: 'utf8' }), 'code');
  });
});

describe('ZIP archives', () => {
  /** One member, stored or deflated. */
  function zip(name: string, content: Buffer, method: 0 | 8): Buffer {
    const data = method === 8 ? deflateRawSync(content) : content;
    const local = Buffer.alloc(30);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt16LE(name.length, 28);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(local.length + name.length + data.length, 16);
    return Buffer.concat([local, Buffer.from(name), data, central, Buffer.from(name), end]);
  }

  it('give the members asked for, stored or deflated', () => {
    const content = Buffer.from('the same again and the same again');
    for (const method of [0, 8] as const)
      assert.deepEqual(unzip(zip('folder/file', content, method), ['folder/file']).get('folder/file'), content);
  });

  it('are refused if they lack a member or are none', () => {
    assert.throws(() => unzip(zip('a', Buffer.from('x'), 0), ['a', 'b']), /holds no b$/);
    assert.throws(() => unzip(Buffer.from('not a ZIP archive at all'), ['a']), /no ZIP archive/);
  });
});
