import assert from 'node:assert/strict';
import { managedBy } from '../../api/names.ts';
import type { KubeObject } from '../../facts/object.ts';
import { differences } from './difference.ts';

const desired: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', namespace: 'shop', labels: { mine: 'yes' } },
  spec: {
    replicas: 1,
    paused: false,
    selector: { matchLabels: { mine: 'yes' } },
    containers: [
      {
        name: 'one',
        image: 'x',
        args: ['a', 'b'],
        resources: { limits: { cpu: '1000m' } },
        ports: [{ containerPort: 80 }],
      },
      { name: 'two', env: [] },
    ],
  },
};

/** What the API server writes down of an apply of `desired`. */
const fieldsV1 = {
  'f:metadata': { 'f:labels': { 'f:mine': {} } },
  'f:spec': {
    'f:replicas': {},
    'f:paused': {},
    'f:selector': {},
    'f:containers': {
      'k:{"name":"one"}': {
        '.': {},
        'f:name': {},
        'f:image': {},
        'f:args': {},
        'f:resources': { 'f:limits': { 'f:cpu': {} } },
        'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
      },
      'k:{"name":"two"}': { '.': {}, 'f:name': {} },
    },
  },
};

const spec = {
  replicas: 1,
  selector: { matchLabels: { mine: 'yes' } },
  strategy: { type: 'RollingUpdate' },
  containers: [
    { name: 'injected', image: 'theirs' },
    { name: 'two', image: 'default' },
    {
      name: 'one',
      image: 'x',
      args: ['a', 'b'],
      resources: { limits: { cpu: '1', memory: '1Gi' } },
      ports: [{ containerPort: 80, protocol: 'TCP' }],
    },
  ],
};

type Fields = Readonly<Record<string, unknown>>;

function observed({
  spec: changed = spec,
  fields = fieldsV1,
  manager = managedBy,
  labels = { mine: 'yes' },
}: {
  readonly spec?: Fields;
  readonly fields?: Fields;
  readonly manager?: string;
  readonly labels?: Readonly<Record<string, string>>;
} = {}): KubeObject {
  const managedFields = [{ manager, operation: 'Apply', fieldsV1: fields }];
  const metadata = { ...desired.metadata, labels, uid: 'u', resourceVersion: '1', managedFields };
  return { ...desired, metadata, spec: changed };
}

const containers = (change: (one: Fields) => Fields): Fields => ({
  ...spec,
  containers: spec.containers.map((container) => (container.name === 'one' ? change(container) : container)),
});

describe('differences between a desired and an observed object', () => {
  it('are none where all we want is there, whatever else is', () => {
    assert.deepEqual(differences(desired, observed({ labels: { mine: 'yes', theirs: 'too' } })), []);
  });

  it('are that we never applied it', () => {
    assert.deepEqual(differences(desired, observed({ manager: 'kubectl' })), ['metadata.managedFields']);
    assert.deepEqual(differences(desired, desired), ['metadata.managedFields']);
  });

  it('are fields with another value, by their paths', () => {
    const paths = (changed: Fields): readonly string[] => differences(desired, observed({ spec: changed }));
    assert.deepEqual(paths({ ...spec, replicas: 2 }), ['spec.replicas']);
    assert.deepEqual(paths({ ...spec, paused: true }), ['spec.paused']);
    assert.deepEqual(paths({ ...spec, selector: { matchLabels: { mine: 'no' } } }), ['spec.selector']);
    assert.deepEqual(paths(containers((one) => ({ ...one, image: 'y' }))), ['spec.containers[one].image']);
    assert.deepEqual(paths(containers((one) => ({ ...one, args: ['a'] }))), ['spec.containers[one].args']);
    assert.deepEqual(paths(containers((one) => ({ ...one, args: ['b', 'a'] }))), ['spec.containers[one].args']);
    assert.deepEqual(paths(containers((one) => ({ ...one, resources: { limits: { cpu: '2' } } }))), [
      'spec.containers[one].resources.limits.cpu',
    ]);
    assert.deepEqual(differences(desired, observed({ labels: {} })), ['metadata.labels.mine']);
  });

  it('are fields that somebody else holds by now, though they say what we want', () => {
    const { 'f:replicas': _, ...others } = fieldsV1['f:spec'];
    assert.deepEqual(differences(desired, observed({ fields: { ...fieldsV1, 'f:spec': others } })), ['spec.replicas']);
    const { 'k:{"name":"two"}': __, ...left } = fieldsV1['f:spec']['f:containers'];
    const fields = { ...fieldsV1, 'f:spec': { ...fieldsV1['f:spec'], 'f:containers': left } };
    assert.deepEqual(differences(desired, observed({ fields })), ['spec.containers']);
  });

  it('are fields and items that we hold and no longer want', () => {
    const more = {
      ...fieldsV1,
      'f:data': { 'f:old': {} },
      'f:spec': {
        ...fieldsV1['f:spec'],
        'f:old': {},
        'f:containers': { ...fieldsV1['f:spec']['f:containers'], 'k:{"name":"old"}': { '.': {} } },
      },
    };
    assert.deepEqual(differences(desired, observed({ fields: more })).toSorted(), [
      'data',
      'spec.containers[old]',
      'spec.old',
    ]);
  });
});
