import assert from 'node:assert/strict';
import fc from 'fast-check';
import { certificatesName, deploymentName, endpointsName, labelValue, objectName, tableName } from './objectnames.ts';

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelText = /^([a-z0-9]([-a-z0-9_.]*[a-z0-9])?)?$/i;

/** Names that a Gateway may have: short ones, very long ones with common beginnings, and ones that look like names of ours. */
const gatewayName = fc
  .tuple(
    fc.constantFrom('', 'a'.repeat(240), 'x.'.repeat(115), 'web-', 'a.b-'),
    fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/),
    fc.constantFrom('', '-0123456789ab', '-endpoints', '-certificates', '-table-1', '-table-1-endpoints'),
  )
  .map((parts) => parts.join(''))
  .filter((name) => name.length <= 253 && subdomain.test(name));

/** Two names, often such that the objects of one are what the other might be called. */
const twoNames = fc.oneof(
  fc.tuple(gatewayName, gatewayName),
  gatewayName
    .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...namesOf(name), labelValue(name))))
    .map(([name, object]): [string, string] => [name, object.replace('gateway-', '')]),
);

describe('object names', () => {
  it('are those of the contract where they fit', () => {
    const plane = { name: 'web' };
    assert.deepEqual(
      [tableName(plane, 0), tableName(plane, 1), endpointsName(plane), certificatesName(plane)],
      ['gateway-web', 'gateway-web-table-1', 'gateway-web-endpoints', 'gateway-web-certificates'],
    );
    assert.equal(deploymentName(plane, 'primary'), 'gateway-web-primary');
    assert.equal(deploymentName({ name: 'a'.repeat(47) }, 'primary').length, 63);
    assert.equal(deploymentName({ name: 'a'.repeat(47) }, 'primary'), `gateway-${'a'.repeat(47)}-primary`);
  });

  it('stay the same on every machine and in every version', () => {
    assert.equal(
      deploymentName({ name: 'a'.repeat(253) }, 'primary'),
      'gateway-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-primary-75c5fc07f09a',
    );
  });

  it('are valid and never two for one, whatever the Gateways are called', () => {
    fc.assert(
      fc.property(twoNames, ([one, other]) => {
        for (const name of namesOf(one)) assert.ok(name.length <= 253 && subdomain.test(name), name);
        const all = [...namesOf(one), ...(one === other ? [] : namesOf(other))];
        assert.equal(new Set(all).size, all.length, all.join(' '));
      }),
    );
  });

  it('of Deployments fit into pod names and differ by Gateway and replica', () => {
    const replica = fc.stringMatching(/^[a-z0-9]{1,63}$/);
    fc.assert(
      fc.property(fc.tuple(gatewayName, replica), fc.tuple(gatewayName, replica), (one, other) => {
        const a = deploymentName({ name: one[0] }, one[1]);
        const b = deploymentName({ name: other[0] }, other[1]);
        assert.ok(a.length <= 63 && subdomain.test(a), a);
        assert.equal(a === b, one.join(' ') === other.join(' '));
      }),
    );
  });

  it('are told apart where long ones begin alike', () => {
    const [a, b] = ['a', 'b'].map((end) => objectName('gateway', `${'x'.repeat(252)}${end}`));
    assert.notEqual(a, b);
  });

  it('that look like shortened ones are shortened themselves', () => {
    const short = deploymentName({ name: 'x'.repeat(100) }, 'primary');
    const lookalike = short.slice('gateway-'.length, -'-0123456789ab'.length);
    assert.notEqual(deploymentName({ name: lookalike }, short.slice(-12)), short);
  });

  it('have no dot before a hyphen where they were cut', () => {
    const name = objectName('gateway', `${'x'.repeat(231)}.${'y'.repeat(20)}`);
    assert.match(name, subdomain);
  });
});

describe('label values', () => {
  it('are the text itself where it is one', () => {
    assert.equal(labelValue('web.example'), 'web.example');
    assert.equal(labelValue('a'.repeat(63)), 'a'.repeat(63));
  });

  it('are valid and never one for two', () => {
    fc.assert(
      fc.property(twoNames, ([one, other]) => {
        const [a, b] = [labelValue(one), labelValue(other)];
        assert.ok(a.length <= 63 && labelText.test(a), a);
        assert.equal(a === b, one === other);
      }),
    );
  });
});

/** Every name of an object of which a Gateway has one. */
function namesOf(name: string): string[] {
  return [...[0, 1, 7].map((part) => tableName({ name }, part)), endpointsName({ name }), certificatesName({ name })];
}
