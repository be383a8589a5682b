import assert from 'node:assert/strict';
import { derived, gateway, ours } from './testfacts.test.ts';
import { planeOf, planeOfGateway, planes } from './planes.ts';

const infrastructure = `infrastructure: {labels: {team: shop}, annotations: {example.com/note: x}}\n`;

describe('Planes', () => {
  it('are one for each Gateway, named after it, with what its infrastructure says', () => {
    const { read } = derived(ours + gateway(infrastructure));
    const { settings, ...plane } = read(planeOf, 'shop/web');
    assert.deepEqual(plane, {
      id: 'shop/web',
      namespace: 'shop',
      name: 'web',
      gatewayClassName: 'cloudflare',
      gateways: ['shop/web'],
      labels: { team: 'shop' },
      annotations: { 'example.com/note': 'x' },
      ports: [{ port: 80, protocol: 'HTTP' }],
    });
    assert.equal(settings.replicas.length, 1);
  });

  it('are none for a Gateway that is refused, suspended or another controller’s', () => {
    const suspended = gateway('', 'annotations: {cloudflare-gateway-controller.io/reconcile: disabled}');
    for (const yaml of [
      ours + gateway('tls: {frontend: {}}\n'),
      ours + suspended,
      ours.replace('io/controller', 'io/other') + gateway(),
      gateway(),
    ]) {
      const { read } = derived(yaml);
      assert.equal(read(planeOfGateway, 'shop/web'), undefined);
      assert.deepEqual(read(planes, 'shop/web'), []);
    }
  });

  it('come and go with the class', () => {
    const { read, add } = derived(ours + gateway());
    add(ours.replace('io/controller', 'io/other'));
    assert.deepEqual(read(planes, 'shop/web'), []);
    add(ours);
    assert.deepEqual(read(planes, 'shop/web'), ['shop/web']);
  });
});
