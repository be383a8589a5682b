/** All a cluster is made of, as paths: what the cache lacks is built. */
import { join } from 'node:path';
import type { Progress } from './cache.ts';
import { clients } from './clients.ts';
import { ensurePrograms } from './debian.ts';
import { imageNames, imageOf } from './images.ts';
import type { ImageName } from './images.ts';
import { ownImage } from './ownimage.ts';
import { programsOf } from './programs.ts';

export interface Parts {
  /** Folders of programs. */
  readonly kubernetes: string;
  readonly etcd: string;
  readonly containerd: string;
  readonly cni: string;
  /** Folder of the CRDs of the Gateway API. */
  readonly crds: string;
  /** The program the node begins with. */
  readonly pause: string;
  readonly clients: Readonly<Record<'kubectl' | 'helm', string>>;
  /** Archives of the images. */
  readonly images: Readonly<Record<ImageName, string>>;
  /** That of our own, if it was asked for. */
  readonly ownImage: string | undefined;
}

/** Makes what is lacking; `own` says whether our own image is part of it. */
export async function allParts(own: boolean, progress: Progress): Promise<Parts> {
  await ensurePrograms(progress, own ? 'image' : 'cluster');
  const parts = {
    kubernetes: await programsOf('kubernetes', progress),
    etcd: await programsOf('etcd', progress),
    containerd: await programsOf('containerd', progress),
    cni: await programsOf('cni', progress),
    crds: join(await programsOf('gateway-api', progress), 'crds'),
    pause: join(await programsOf('pause', progress), 'pause'),
    clients: await clients(progress),
  };
  const images: (readonly [ImageName, string])[] = [];
  for (const name of imageNames) images.push([name, await imageOf(name, progress)]);
  return {
    ...parts,
    images: Object.fromEntries(images) as Parts['images'],
    ownImage: own ? await ownImage(progress) : undefined,
  };
}
