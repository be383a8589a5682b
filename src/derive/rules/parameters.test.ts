import assert from 'node:assert/strict';
import {
  parameters as parametersOf,
  brief,
  derived,
  gateway,
  messageOf,
  ours,
  withParameters,
  type World,
} from './testfacts.test.ts';
import { planeSettings } from './parameters.ts';
import { planeOf, planeOfGateway } from './planes.ts';

const settingsOf = (yaml: string, world?: World) =>
  derived(ours + yaml, world).read(planeSettings, 'shop/web').settings;
const given = (spec: string, world?: World) => settingsOf(parametersOf(spec) + gateway(withParameters), world);

/** Condition Accepted and the findings, for parameters with this spec. */
function verdictOf(spec: string): { accepted: string | undefined; message: string; findings: readonly string[] } {
  const { status, findings } = derived(ours + parametersOf(spec) + gateway(withParameters));
  const { conditions } = status('Gateway/shop/web');
  return { accepted: brief(conditions)[0], message: messageOf(conditions, 'Accepted'), findings: findings() };
}

describe('Parameters of a Gateway', () => {
  it('has a default for every setting', () => {
    const { drainPart, images, ...rest } = settingsOf(gateway()) ?? assert.fail();
    assert.match(drainPart, /^[0-9a-f]{32}$/);
    assert.match(images.proxy, /:/);
    assert.deepEqual(rest, {
      tunnelName: 'cloudflare-gateway-controller.io/clusters/default/namespaces/shop/gateways/web',
      protocol: 'http2',
      loadBalancing: 'Service',
      minReadySeconds: 600,
      tokenRotation: { cron: '0 18 * * 4', timeZone: 'America/Los_Angeles' },
      patches: [],
      replicas: [{ name: 'primary' }],
      dns: { mode: 'all' },
      imagePullSecrets: [],
      clusterDomain: 'cluster.local',
      controllerNamespace: 'cloudflare-gateway-controller',
    });
    assert.deepEqual(given('{}'), settingsOf(gateway()));
  });

  it('takes what is written', () => {
    const found = given(`
dns: {zones: [{name: Example.COM}]}
tunnel:
  protocol: quic
  loadBalancing: Endpoints
  minReadySeconds: 0
  resources: {requests: {cpu: 1}}
  autoscaling: {enabled: true, maxAllowed: {cpu: 2}, controlledValues: RequestsOnly}
  patches: [{op: add, path: /spec/template/spec/priorityClassName, value: high}]
  replicas: [{name: a, zone: eu-1}, {name: b, nodeSelector: {disk: ssd}}]
  token: {rotation: {schedule: {cron: '0 3 * * MON'}}}
`);
    assert.equal(found?.protocol, 'quic');
    assert.equal(found.loadBalancing, 'Endpoints');
    assert.equal(found.minReadySeconds, 0);
    assert.deepEqual(found.resources, { requests: { cpu: 1 } });
    assert.deepEqual(found.autoscaling, { maxAllowed: { cpu: 2 }, controlledValues: 'RequestsOnly' });
    assert.equal(found.patches.length, 1);
    assert.deepEqual(found.replicas, [
      { name: 'a', zone: 'eu-1' },
      { name: 'b', nodeSelector: { disk: 'ssd' } },
    ]);
    assert.deepEqual(found.dns, { mode: 'zones', zones: ['example.com'] });
    assert.deepEqual(found.tokenRotation, { cron: '0 3 * * MON', timeZone: 'UTC' });
  });

  it('decides auto, and leaves out what is switched off', () => {
    const found = given(`
dns: {zones: []}
tunnel:
  protocol: auto
  replicas: []
  autoscaling: {enabled: false, maxAllowed: {cpu: 2}}
  token: {rotation: {enabled: false, schedule: {cron: '0 3 * * 1'}}}
`);
    assert.equal(found?.protocol, 'http2');
    assert.deepEqual(found.replicas, []);
    assert.deepEqual(found.dns, { mode: 'off' });
    assert.ok(!('autoscaling' in found) && !('tokenRotation' in found));
  });

  it('uses the controller’s defaults only for a Gateway that names no parameters, and never mixes them', () => {
    const world = { settings: { gatewayDefaults: { dns: { zones: [] }, tunnel: { minReadySeconds: 7 } } } };
    assert.equal(settingsOf(gateway(), world)?.minReadySeconds, 7);
    assert.deepEqual(settingsOf(gateway(), world)?.dns, { mode: 'off' });
    const own = given('tunnel: {protocol: quic}', world);
    assert.equal(own?.minReadySeconds, 600);
    assert.deepEqual(own.dns, { mode: 'all' });
  });

  it('says where the controller’s defaults are wrong', () => {
    const world = { settings: { gatewayDefaults: { tunnel: { minReadySeconds: -1 } } } };
    const { status, findings } = derived(ours + gateway(), world);
    assert.match(
      messageOf(status('Gateway/shop/web').conditions, 'Accepted'),
      /gatewayDefaults\.tunnel\.minReadySeconds/,
    );
    assert.deepEqual(findings(), [
      'InvalidParameters error ControllerSettings/settings gatewayDefaults.tunnel.minReadySeconds',
    ]);
  });

  it('refuses a reference to nothing', () => {
    const { status, findings } = derived(ours + gateway(withParameters));
    assert.equal(brief(status('Gateway/shop/web').conditions)[0], 'Accepted=False/InvalidParameters');
    assert.match(messageOf(status('Gateway/shop/web').conditions, 'Accepted'), /CloudflareGatewayParameters shop\/web/);
    assert.deepEqual(findings(), ['InvalidParameters error Gateway/shop/web spec.infrastructure.parametersRef']);
  });

  it('refuses any other kind', () => {
    for (const ref of [
      '{group: cf.k8s.lex.la, kind: GatewayConfig, name: web}',
      "{group: '', kind: ConfigMap, name: web}",
    ]) {
      const { status } = derived(ours + gateway(`infrastructure: {parametersRef: ${ref}}\n`));
      const { conditions } = status('Gateway/shop/web');
      assert.equal(brief(conditions)[0], 'Accepted=False/InvalidParameters');
      assert.match(messageOf(conditions, 'Accepted'), /name a CloudflareGatewayParameters/);
    }
  });

  it('waits in a cluster for what cannot be read', () => {
    const { status, read } = derived(ours + gateway(withParameters), { unknown: ['CloudflareGatewayParameters'] });
    assert.equal(brief(status('Gateway/shop/web').conditions)[0], 'Accepted=Unknown/Pending');
    assert.equal(read(planeOfGateway, 'shop/web'), undefined);
  });

  it('assumes offline what cannot be read, and says so', () => {
    const world = { unknown: ['CloudflareGatewayParameters'], settings: { assumeUnknown: true } };
    const { read, findings, messages } = derived(ours + gateway(withParameters), world);
    assert.equal(read(planeSettings, 'shop/web').settings?.minReadySeconds, 600);
    assert.equal(read(planeOfGateway, 'shop/web'), 'shop/web');
    assert.deepEqual(findings(), ['Assumed note Gateway/shop/web']);
    assert.match(messages()[0] ?? '', /^CloudflareGatewayParameters shop\/web /);
  });

  it('names the field that no schedule can be read from', () => {
    const schedule = (text: string) => `tunnel: {token: {rotation: {schedule: ${text}}}}`;
    const at = (field: string) => [
      `InvalidParameters error CloudflareGatewayParameters/shop/web spec.tunnel.token.rotation.schedule.${field}`,
    ];
    for (const cron of ['61 * * * *', '@daily', '* * * *', '* * * * * *', '0 0 30 2 *', '0 0 31 4,6 *', 'x * * * *'])
      assert.deepEqual(verdictOf(schedule(`{cron: '${cron}'}`)).findings, at('cron'), cron);
    for (const cron of ['0 0 29 2 *', '0 0 30 2 MON', '0 0 L 2 *', '*/5 1-3 1,15 jan *', '? * * * *'])
      assert.deepEqual(verdictOf(schedule(`{cron: '${cron}'}`)).findings, [], cron);
    for (const zone of ['Mars/Olympus', '+01:00', ''])
      assert.deepEqual(verdictOf(schedule(`{cron: '0 3 * * 1', timeZone: '${zone}'}`)).findings, at('timeZone'), zone);
    const { accepted, message } = verdictOf(schedule("{cron: '61 * * * *'}"));
    assert.equal(accepted, 'Accepted=False/InvalidParameters');
    assert.match(message, /spec\.tunnel\.token\.rotation\.schedule\.cron is "61 \* \* \* \*"/);
  });

  it('checks replicas as the CRD would', () => {
    const at = (path: string) => [
      `InvalidParameters error CloudflareGatewayParameters/shop/web spec.tunnel.replicas${path}`,
    ];
    assert.deepEqual(verdictOf('tunnel: {replicas: [{name: a}, {name: a}]}').findings, at('.1.name'));
    assert.deepEqual(verdictOf('tunnel: {replicas: [{name: A_b}]}').findings, at('.0.name'));
    assert.deepEqual(verdictOf('tunnel: {replicas: [{name: a, zone: z, affinity: {}}]}').findings, at('.0'));
    const many = Array.from({ length: 129 }, (_, index) => `{name: r${index}}`).join(', ');
    assert.deepEqual(verdictOf(`tunnel: {replicas: [${many}]}`).findings, at(''));
  });

  it('takes of spec.service what belongs to its type', () => {
    assert.deepEqual(verdictOf('service: {}').findings, []);
    const taken = (service: string) => given(`service: ${service}`)?.service;
    assert.deepEqual(taken('{}'), { type: 'ClusterIP', annotations: {} });
    assert.deepEqual(taken('{externalTrafficPolicy: Local, loadBalancerClass: x, annotations: {a: b}}'), {
      type: 'ClusterIP',
      annotations: { a: 'b' },
    });
    assert.deepEqual(taken('{type: NodePort}'), {
      type: 'NodePort',
      annotations: {},
      externalTrafficPolicy: 'Cluster',
    });
    assert.deepEqual(taken('{type: LoadBalancer, externalTrafficPolicy: Local, loadBalancerClass: example.com/x}'), {
      type: 'LoadBalancer',
      annotations: {},
      loadBalancerClass: 'example.com/x',
      externalTrafficPolicy: 'Local',
    });
  });

  it('derives the drain address from what only the namespace knows', () => {
    const one = settingsOf(gateway('', 'uid: aaaa'))?.drainPart;
    const other = settingsOf(gateway('', 'uid: bbbb'))?.drainPart;
    assert.notEqual(one, other);
    assert.equal(one, settingsOf(gateway('', 'uid: aaaa'), { settings: { clusterName: 'other' } })?.drainPart);
  });
});

describe('The plane that Gateways share', () => {
  const shared = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: cloudflare}
spec:
  controllerName: cloudflare-gateway-controller.io/controller
  parametersRef: {group: cf.k8s.lex.la, kind: GatewayClassConfig, name: main}
---
apiVersion: cf.k8s.lex.la/v1alpha1
kind: GatewayClassConfig
metadata: {name: main}
spec:
  tunnelID: 550e8400-e29b-41d4-a716-446655440000
  cloudflareCredentialsSecretRef: {name: token}
---
apiVersion: v1
kind: Secret
metadata: {name: token, namespace: cloudflare-gateway-controller}
data: {api-token: dG9rZW4=}
---
`;
  const tunnel = '550e8400-e29b-41d4-a716-446655440000.cfargotunnel.com';
  const plane = 'cloudflare-gateway-controller/cloudflare';

  it('is one for all Gateways of the class that name no parameters', () => {
    const second = gateway().replace('name: web', 'name: admin');
    const { read } = derived(shared + gateway() + second);
    const found = read(planeOf, plane);
    assert.deepEqual(found.gateways, ['shop/admin', 'shop/web']);
    assert.equal(found.settings.tunnelName, 'cloudflare-gateway-controller.io/clusters/default/classes/cloudflare');
    const [one, other] = ['shop/web', 'shop/admin'].map((key) => read(planeSettings, key).settings);
    assert.deepEqual(one, other);
  });

  it('leaves a Gateway with parameters its own plane', () => {
    const secret = ours.slice(ours.indexOf('---') + 3);
    const { read } = derived(shared + secret + parametersOf('secretRef: {name: cloudflare}') + gateway(withParameters));
    assert.equal(read(planeOfGateway, 'shop/web'), 'shop/web');
  });

  it('is told the address by the class', () => {
    const { status } = derived(shared + gateway());
    assert.deepEqual(status('Gateway/shop/web').addresses, [{ type: 'Hostname', value: tunnel }]);
    const refused = derived(shared + gateway('tls: {frontend: {}}\n'));
    assert.equal(refused.status('Gateway/shop/web').addresses, undefined);
  });

  it('is served, though not at another hostname that was asked for', () => {
    const { status, findings } = derived(shared + gateway('addresses: [{type: Hostname, value: a.example.com}]\n'));
    const { conditions } = status('Gateway/shop/web');
    assert.deepEqual(brief(conditions).slice(0, 2), ['Accepted=True/Accepted', 'Programmed=False/AddressNotUsable']);
    for (const name of ['a.example.com', tunnel]) assert.ok(messageOf(conditions, 'Programmed').includes(name));
    assert.deepEqual(findings(), ['AddressNotUsable warning Gateway/shop/web spec.addresses.0.value']);
    const same = derived(shared + gateway(`addresses: [{type: Hostname, value: ${tunnel}}]\n`));
    assert.deepEqual(same.findings(), []);
  });

  it('keeps its name from a Gateway of the controller’s namespace', () => {
    const secret = ours.slice(ours.indexOf('---') + 3);
    const twin = (secret + parametersOf('secretRef: {name: cloudflare}') + gateway(withParameters)).replaceAll(
      /namespace: shop|\{name: web, namespace: shop, g/g,
      (text) =>
        text.startsWith('{')
          ? '{name: cloudflare, namespace: cloudflare-gateway-controller, g'
          : 'namespace: cloudflare-gateway-controller',
    );
    const { status } = derived(shared + twin);
    const { conditions } = status(`Gateway/${plane}`);
    assert.equal(brief(conditions)[0], 'Accepted=False/InvalidParameters');
    assert.match(messageOf(conditions, 'Accepted'), /give it another name/);
  });
});
