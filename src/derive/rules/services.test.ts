import assert from 'node:assert/strict';
import { serviceBackend, type ServiceBackend } from './services.ts';
import { derived, type World } from './testfacts.test.ts';

function backend(spec: string, world: World = {}, port = 80): ServiceBackend {
  const service = `{apiVersion: v1, kind: Service, metadata: {namespace: shop, name: cart}, spec: ${spec}}`;
  return derived(service, world).read(serviceBackend, `shop/cart/${port}`);
}

const plain = '{selector: {app: cart}, ports: [{port: 80}]}';

describe('the port of a Service', () => {
  it('is dialled by its name', () => {
    assert.deepEqual(backend(plain), {
      state: 'found',
      backend: { protocol: 'http1', host: 'cart.shop.svc.cluster.local', port: 80 },
      byEndpoint: false,
    });
  });

  it('has to be one it lists, unless it is an ExternalName that lists none', () => {
    assert.equal(backend(plain, {}, 81).state, 'absent');
    assert.equal(backend('{type: ExternalName, externalName: api.example.org}').state, 'found');
    assert.equal(backend('{type: ExternalName, externalName: api.example.org, ports: [{port: 443}]}').state, 'absent');
  });

  it('is not told while policies cannot be read: the hop might have to be TLS', () => {
    const found = backend(plain, { unknown: ['BackendTLSPolicy'] });
    assert.deepEqual(found, {
      state: 'unknown',
      why: 'whether a BackendTLSPolicy targets Service shop/cart cannot be told: BackendTLSPolicys are not read',
    });
    const offline = { settings: { assumeUnknown: true }, unknown: ['BackendTLSPolicy'] };
    assert.equal(backend(plain, offline).state, 'found');
  });

  it('is taken to have endpoints only offline', () => {
    const headless = '{clusterIP: None, selector: {app: cart}, ports: [{port: 80}]}';
    const unknown = ['EndpointSlice'];
    const told = (found: ServiceBackend): unknown => (found.state === 'found' ? found.assumed : found.why);
    assert.equal(told(backend(headless, { unknown })), undefined);
    assert.equal(
      told(backend(headless, { unknown, settings: { assumeUnknown: true } })),
      'EndpointSlice of Service shop/cart',
    );
  });
});
