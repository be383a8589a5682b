import assert from 'node:assert/strict';
import { listeners } from './listener.ts';
import { derived, gateway, ours } from './testfacts.test.ts';

/** `name status/reason` of each listener. */
function verdicts(...specs: readonly string[]): readonly string[] {
  const yaml = gateway(`listeners:\n${specs.map((spec) => `- {${spec}}\n`).join('')}`);
  return derived(ours + yaml)
    .read(listeners, 'shop/web')
    .map(({ name, accepted }) => `${name} ${accepted.status}/${accepted.reason}`);
}

describe('Listeners', () => {
  it('serve HTTP and HTTPS and nothing else', () => {
    const all = ['HTTP', 'HTTPS', 'TLS', 'TCP', 'UDP', 'example.com/x'].map(
      (protocol, index) => `name: l${index}, port: ${80 + index}, protocol: ${protocol}`,
    );
    assert.deepEqual(verdicts(...all), [
      'l0 True/Accepted',
      'l1 True/Accepted',
      ...[2, 3, 4, 5].map((index) => `l${index} False/UnsupportedProtocol`),
    ]);
  });

  it('share a port where hostnames differ, and ports where they do not', () => {
    assert.deepEqual(
      verdicts(
        'name: any, port: 80, protocol: HTTP',
        'name: wild, port: 80, protocol: HTTP, hostname: "*.example.com"',
        'name: exact, port: 80, protocol: HTTP, hostname: a.example.com',
        'name: other, port: 81, protocol: HTTP, hostname: a.example.com',
        'name: again, port: 80, protocol: HTTP',
      ),
      [
        'any True/Accepted',
        'wild True/Accepted',
        'exact True/Accepted',
        'other True/Accepted',
        'again False/HostnameConflict',
      ],
    );
  });

  it('that are not served hold no port', () => {
    assert.deepEqual(
      verdicts(
        'name: raw, port: 80, protocol: TCP',
        'name: bad, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {"a b": c}}}}',
        'name: good, port: 80, protocol: HTTP',
        'name: loser, port: 80, protocol: HTTPS',
        'name: second, port: 80, protocol: HTTP, hostname: a.example.com',
      ),
      [
        'raw False/UnsupportedProtocol',
        'bad False/Invalid',
        'good True/Accepted',
        'loser False/ProtocolConflict',
        'second True/Accepted',
      ],
    );
  });

  it('mind a selector only where it is asked for', () => {
    assert.deepEqual(
      verdicts(
        'name: all, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All, selector: {matchLabels: {"a b": c}}}}',
      ),
      ['all True/Accepted'],
    );
  });

  it('are none for a Gateway that is not there', () => {
    assert.deepEqual(derived(ours).read(listeners, 'shop/web'), []);
  });
});
