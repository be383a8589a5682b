/** What a patch may not change: by these fields objects and pods are found again, and a Deployment's selector can never be changed. */
import type { KubeObject } from '../../facts/object.ts';
import type { Contract } from './patches.ts';

type Read = (object: KubeObject) => unknown;

const kept: Readonly<Record<string, Read>> = {
  '/apiVersion': (object) => object.apiVersion,
  '/kind': (object) => object.kind,
  '/metadata/name': (object) => at(object, 'metadata', 'name'),
  '/metadata/namespace': (object) => at(object, 'metadata', 'namespace'),
  '/spec/selector': (object) => at(object, 'spec', 'selector'),
};

/** Says which of them is no longer as in `built`. Labels may be added to ours, and a pod must remain. */
export function deploymentContract(built: KubeObject): Contract {
  return (patched) => {
    for (const [path, read] of Object.entries(kept)) {
      if (JSON.stringify(read(patched)) !== JSON.stringify(read(built))) return refusal(path);
    }
    for (const labels of [
      ['metadata', 'labels'],
      ['spec', 'template', 'metadata', 'labels'],
    ]) {
      const now = at(patched, ...labels);
      const lost = Object.entries(at(built, ...labels) as object).find(([key, value]) => at(now, key) !== value);
      if (lost) return refusal(`/${labels.join('/')}/${lost[0].replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
    return Array.isArray(at(patched, 'spec', 'template', 'spec', 'containers'))
      ? undefined
      : refusal('/spec/template/spec/containers');
  };
}

function refusal(path: string): string {
  return `it would change ${path}, by which the Deployment and its pods are found; leave that as it is`;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined),
    value,
  );
}
