/** The images a cluster holds: archives that its runtime reads. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controllerSettings } from '../../../src/facts/settings.ts';
import { pauseImage } from '../runtime.ts';
import { cached, digestOf } from './cache.ts';
import type { Progress } from './cache.ts';
import { imageArchive } from './oci.ts';
import { programsOf } from './programs.ts';
import type { PartName } from './programs.ts';

/** Name of the image the cluster's DNS runs. */
export const dnsImage = 'registry.k8s.io/coredns/coredns:pinned';

/** Name under which the conformance suite's own manifests run one. */
const suiteDnsImage = 'registry.k8s.io/coredns/coredns:v1.12.2';

/** Name under which tests and the conformance suite find the server that tells what it was asked. */
export const echoImage = 'registry.k8s.io/gateway-api/echo-basic:v1.5.1';

/** What the images built FROM nothing run as, and what images of this kind run as elsewhere. */
const nobody = 65532;

interface Source {
  readonly part: PartName;
  readonly program: string;
  readonly names: readonly string[];
  readonly user: number;
}

const { images } = controllerSettings().spec;

const sources = {
  pause: { part: 'pause', program: 'pause', names: [pauseImage], user: nobody },
  // Port 53 is for root.
  coredns: { part: 'coredns', program: 'coredns', names: [dnsImage, suiteDnsImage], user: 0 },
  echo: {
    part: 'gateway-api',
    program: 'echo-basic',
    // The tags that the manifests of the conformance suite name.
    names: [echoImage, ...['v1.6.0-dev.2', 'v1.6.0-dev.3'].map((tag) => echoImage.replace(/:.*/, `:${tag}`))],
    user: nobody,
  },
  // Under the name that a data plane's pod asks for.
  connector: { part: 'connector', program: 'cloudflared', names: [images.cloudflared], user: nobody },
} satisfies Record<string, Source>;

export type ImageName = keyof typeof sources;

export const imageNames = Object.keys(sources) as ImageName[];

/** Path of the archive of an image, made first if the cache lacks it. */
export async function imageOf(name: ImageName, progress: Progress): Promise<string> {
  const source: Source = sources[name];
  const program = join(await programsOf(source.part, progress), source.program);
  const digest = digestOf(program, JSON.stringify(source));
  const make = (folder: string): void => {
    const archive = imageArchive({ ...source, content: readFileSync(program) });
    writeFileSync(join(folder, 'image.tar'), archive);
  };
  return join(await cached({ name: `image-${name}`, digest, make }, progress), 'image.tar');
}
