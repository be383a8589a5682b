/** An image of one program, as an archive in the OCI image layout (image-spec 1.0): no registry, no builder. */
import { createHash } from 'node:crypto';
import { tar } from './tar.ts';

export interface ProgramImage {
  /** Full names it is known by in the runtime. */
  readonly names: readonly string[];
  /** The program; in the image it is `/<program>` and what is run. */
  readonly program: string;
  readonly content: Buffer;
  /** Number of the user it runs as. */
  readonly user: number;
}

const type = (name: string): string => `application/vnd.oci.image.${name}`;

/** The archive; the same for the same image. */
export function imageArchive({ names, program, content, user }: ProgramImage): Buffer {
  const blobs = new Map<string, Buffer>();
  const blob = (mediaType: string, bytes: Buffer): { mediaType: string; digest: string; size: number } => {
    const hex = createHash('sha256').update(bytes).digest('hex');
    blobs.set(hex, bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  };
  const json = (mediaType: string, value: object): ReturnType<typeof blob> =>
    blob(mediaType, Buffer.from(JSON.stringify(value)));

  const layer = blob(
    type('layer.v1.tar'),
    tar([
      { name: 'tmp/', mode: 0o1777 },
      { name: program, content, mode: 0o755 },
    ]),
  );
  const config = json(type('config.v1+json'), {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Entrypoint: [`/${program}`], User: `${user}:${user}`, WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  });
  const manifest = json(type('manifest.v1+json'), {
    schemaVersion: 2,
    mediaType: type('manifest.v1+json'),
    config,
    layers: [layer],
  });
  const manifests = names.map((name) => ({ ...manifest, annotations: { 'io.containerd.image.name': name } }));
  const file = (name: string, value: object): { name: string; content: Buffer } => ({
    name,
    content: Buffer.from(JSON.stringify(value)),
  });
  return tar([
    file('oci-layout', { imageLayoutVersion: '1.0.0' }),
    file('index.json', { schemaVersion: 2, mediaType: type('index.v1+json'), manifests }),
    ...[...blobs].map(([hex, bytes]) => ({ name: `blobs/sha256/${hex}`, content: bytes })),
  ]);
}
