import type { KubeObject } from '../../facts/object.ts';

interface PodTemplate {
  readonly spec: { readonly initContainers: readonly object[]; readonly containers: readonly object[] };
}

/**
 * Both containers with the user's resources in place of ours, word for word: cdk8s would refuse a map with a key such as `constructor`.
 * Source: gateway parameters, `tunnel.resources`.
 */
export function withResources(
  deployment: KubeObject,
  resources: Readonly<Record<string, unknown>> | undefined,
): KubeObject {
  if (resources === undefined) return deployment;
  const spec = deployment.spec as { readonly template: PodTemplate };
  const { template } = spec;
  const each = (containers: readonly object[]): object[] => containers.map((one) => ({ ...one, resources }));
  const pod = {
    ...template.spec,
    initContainers: each(template.spec.initContainers),
    containers: each(template.spec.containers),
  };
  return { ...deployment, spec: { ...spec, template: { ...template, spec: pod } } };
}
