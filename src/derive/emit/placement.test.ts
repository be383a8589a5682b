import assert from 'node:assert/strict';
import type { KubeObject } from '../../facts/object.ts';
import { placed } from './placement.ts';

const withPod = (pod: object): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'gateway-web-primary' },
  spec: { replicas: 1, template: { metadata: { labels: { a: 'b' } }, spec: { restartPolicy: 'Always', ...pod } } },
});
const zone = (name: string): object => ({ key: 'topology.kubernetes.io/zone', operator: 'In', values: [name] });
const arch = { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] };
const required = (...nodeSelectorTerms: object[]): object => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
});

describe('placement', () => {
  it('changes nothing for a replica without one', () => {
    assert.deepEqual(
      placed(withPod({ nodeSelector: { x: 'y' } }), { name: 'a' }),
      withPod({ nodeSelector: { x: 'y' } }),
    );
  });

  it('demands the zone of the node', () => {
    assert.deepEqual(
      placed(withPod({}), { name: 'a', zone: 'z1' }),
      withPod({ affinity: required({ matchExpressions: [zone('z1')] }) }),
    );
  });

  it('demands the zone in each alternative, in place of what was said of the zone there', () => {
    const given = required({ matchExpressions: [arch] }, { matchExpressions: [zone('z9')], matchFields: [arch] });
    const podAntiAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [] };
    const result = placed(
      withPod({
        affinity: { ...given, podAntiAffinity },
        nodeSelector: { 'topology.kubernetes.io/zone': 'z9', a: 'b' },
      }),
      {
        name: 'a',
        zone: 'z1',
      },
    );
    const terms = required(
      { matchExpressions: [arch, zone('z1')] },
      { matchFields: [arch], matchExpressions: [zone('z1')] },
    );
    assert.deepEqual(result, withPod({ affinity: { ...terms, podAntiAffinity }, nodeSelector: { a: 'b' } }));
  });

  it('puts affinity in the place of any other, and labels beside others', () => {
    const affinity = required({ matchExpressions: [arch] });
    const result = placed(withPod({ affinity: { podAffinity: {} }, nodeSelector: { a: 'b', c: 'd' } }), {
      name: 'a',
      affinity: affinity as Record<string, unknown>,
      nodeSelector: { a: 'x' },
    });
    assert.deepEqual(result, withPod({ affinity, nodeSelector: { a: 'x', c: 'd' } }));
  });
});
