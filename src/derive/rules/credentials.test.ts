import assert from 'node:assert/strict';
import { brief, derived, gateway, messageOf, ours, parameters, withParameters, type World } from './testfacts.test.ts';
import { credentials } from './credentials.ts';

const classOnly = ours.slice(0, ours.indexOf('---'));
const elsewhere = ours.replaceAll('namespace: shop', 'namespace: vault');

const grant = (to: string, from = 'shop') => `
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: {name: credentials, namespace: vault}
spec:
  from: [{group: gateway.networking.k8s.io, kind: Gateway, namespace: ${from}}]
  to: [${to}]
---
`;

function ofGateway(
  yaml: string,
  world?: World,
): { accepted: string | undefined; message: string; findings: readonly string[] } {
  const { status, findings } = derived(yaml, world);
  const { conditions } = status('Gateway/shop/web');
  return { accepted: brief(conditions)[0], message: messageOf(conditions, 'Accepted'), findings: findings() };
}

describe('Credentials', () => {
  it('come from the parameters before the class', () => {
    const own = `
apiVersion: v1
kind: Secret
metadata: {name: own, namespace: shop}
data: {CLOUDFLARE_API_TOKEN: dG9rZW4=, CLOUDFLARE_ACCOUNT_ID: YWNjb3VudA==}
---
`;
    const named = parameters('secretRef: {name: own}') + gateway(withParameters);
    assert.equal(derived(ours + own + named).read(credentials, 'shop/web').secret, 'shop/own');
    const unnamed = parameters('{}') + gateway(withParameters);
    assert.equal(derived(ours + own + unnamed).read(credentials, 'shop/web').secret, 'shop/cloudflare');
  });

  it('are asked for where nobody names any', () => {
    const without = ours.replace(/ {2}parametersRef.*\n/, '');
    const { accepted, message } = ofGateway(without + gateway());
    assert.equal(accepted, 'Accepted=False/InvalidParameters');
    assert.match(message, /no Cloudflare credentials are named/);
    assert.deepEqual(brief(derived(without).status('GatewayClass/cloudflare').conditions), [
      'Accepted=True/Accepted',
      'Ready=True/ReconciliationSucceeded',
    ]);
  });

  it('name the Secret that does not exist, and the keys it needs', () => {
    const { accepted, message, findings } = ofGateway(classOnly + '---' + gateway());
    assert.equal(accepted, 'Accepted=False/InvalidParameters');
    for (const word of ['Secret shop/cloudflare', 'CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'])
      assert.ok(message.includes(word), word);
    // The place to mend is the class, once for it and once for the Gateway that it takes down.
    assert.deepEqual(
      findings,
      Array.from({ length: 2 }, () => 'InvalidParameters error GatewayClass/cloudflare spec.parametersRef'),
    );
  });

  it('name the key that is missing or empty', () => {
    for (const value of [
      '',
      'CLOUDFLARE_ACCOUNT_ID: ""',
      'CLOUDFLARE_ACCOUNT_ID: ICAK',
      'CLOUDFLARE_ACCOUNT_ID: "%%%"',
    ]) {
      const { message } = ofGateway(ours.replace('CLOUDFLARE_ACCOUNT_ID: YWNjb3VudA==', value) + gateway());
      assert.match(message, /Secret shop\/cloudflare lacks the key CLOUDFLARE_ACCOUNT_ID; add it$/);
    }
  });

  it('heal the Gateway as soon as the Secret is mended, with no other edit', () => {
    const { status, add, findings } = derived(ours.replace('CLOUDFLARE_API_TOKEN: dG9rZW4=, ', '') + gateway());
    const accepted = () => brief(status('Gateway/shop/web').conditions)[0];
    assert.equal(accepted(), 'Accepted=False/InvalidParameters');
    add(ours);
    assert.equal(accepted(), 'Accepted=True/Accepted');
    assert.deepEqual(findings(), []);
  });

  it('of a parameters object are looked for in its own namespace', () => {
    const { message, findings } = ofGateway(ours + parameters('secretRef: {name: own}') + gateway(withParameters));
    assert.match(message, /^CloudflareGatewayParameters shop\/web: Secret shop\/own does not exist/);
    assert.deepEqual(findings, ['InvalidParameters error CloudflareGatewayParameters/shop/web spec.secretRef']);
  });

  it('of another namespace need a ReferenceGrant for that Secret', () => {
    const refused = ofGateway(elsewhere + gateway());
    assert.equal(refused.accepted, 'Accepted=False/InvalidParameters');
    assert.match(refused.message, /Secret vault\/cloudflare.*ReferenceGrant/);
    const all = "{group: '', kind: Secret}";
    assert.equal(ofGateway(elsewhere + grant(all) + gateway()).accepted, 'Accepted=True/Accepted');
    const one = "{group: '', kind: Secret, name: cloudflare}";
    assert.equal(ofGateway(elsewhere + grant(one) + gateway()).accepted, 'Accepted=True/Accepted');
    for (const other of [
      "{group: '', kind: Secret, name: other}",
      '{group: core, kind: Secret}',
      "{group: '', kind: ConfigMap}",
    ])
      assert.equal(ofGateway(elsewhere + grant(other) + gateway()).accepted, 'Accepted=False/InvalidParameters', other);
    assert.equal(ofGateway(elsewhere + grant(all, 'other') + gateway()).accepted, 'Accepted=False/InvalidParameters');
  });

  it('are waited for in a cluster while they cannot be read', () => {
    const unread = classOnly + '---' + gateway();
    assert.equal(ofGateway(unread, { unknown: ['Secret'] }).accepted, 'Accepted=Unknown/Pending');
    assert.equal(
      ofGateway(elsewhere + gateway(), { unknown: ['ReferenceGrant'] }).accepted,
      'Accepted=Unknown/Pending',
    );
    // What is known to be wrong is not waited for.
    assert.equal(
      ofGateway(unread.replace('spec:\n  gatewayClassName', 'spec:\n  tls: {frontend: {}}\n  gatewayClassName'), {
        unknown: ['Secret'],
      }).accepted,
      'Accepted=False/Invalid',
    );
  });

  it('are taken to exist offline, and named', () => {
    const world = { unknown: ['Secret'], settings: { assumeUnknown: true } };
    const { accepted, findings } = ofGateway(classOnly + '---' + gateway(), world);
    assert.equal(accepted, 'Accepted=True/Accepted');
    assert.deepEqual(findings, ['Assumed note GatewayClass/cloudflare spec.parametersRef']);
    const granted = { unknown: ['ReferenceGrant'], settings: { assumeUnknown: true } };
    assert.deepEqual(ofGateway(elsewhere + gateway(), granted).findings, ['Assumed note Gateway/shop/web']);
  });
});

describe('Status of a GatewayClass', () => {
  const withRef = (ref: string) => ours.replace(/parametersRef: .*/, `parametersRef: ${ref}`);

  it('is ready with its credentials', () => {
    const { status, findings } = derived(ours);
    assert.deepEqual(brief(status('GatewayClass/cloudflare').conditions), [
      'Accepted=True/Accepted',
      'Ready=True/ReconciliationSucceeded',
    ]);
    assert.deepEqual(findings(), []);
  });

  it('is another controller’s to write', () => {
    assert.deepEqual(derived(ours.replace('io/controller', 'io/other')).status('GatewayClass/cloudflare'), {});
  });

  it('names only a core Secret with a namespace, or a GatewayClassConfig', () => {
    for (const ref of [
      "{group: '', kind: Secret, name: cloudflare}",
      "{group: '', kind: ConfigMap, namespace: shop, name: cloudflare}",
      '{group: core, kind: Secret, namespace: shop, name: cloudflare}',
      '{group: cf.k8s.lex.la, kind: GatewayClassConfig, name: none}',
    ]) {
      const { status, findings } = derived(withRef(ref));
      assert.deepEqual(
        brief(status('GatewayClass/cloudflare').conditions),
        ['Accepted=False/InvalidParameters', 'Ready=False/InvalidParameters'],
        ref,
      );
      assert.deepEqual(findings(), ['InvalidParameters error GatewayClass/cloudflare spec.parametersRef']);
    }
  });

  it('needs of the Secret of a GatewayClassConfig the key that it names', () => {
    const config = `
apiVersion: cf.k8s.lex.la/v1alpha1
kind: GatewayClassConfig
metadata: {name: main}
spec: {tunnelID: 550e8400-e29b-41d4-a716-446655440000, cloudflareCredentialsSecretRef: {name: cloudflare, namespace: shop}}
---
`;
    const yaml = withRef('{group: cf.k8s.lex.la, kind: GatewayClassConfig, name: main}') + config;
    const { status, findings } = derived(yaml);
    assert.match(messageOf(status('GatewayClass/cloudflare').conditions, 'Accepted'), /lacks the key api-token/);
    assert.deepEqual(findings(), [
      'InvalidParameters error GatewayClassConfig/main spec.cloudflareCredentialsSecretRef',
    ]);
    const named = yaml.replace('namespace: shop}}', 'namespace: shop, key: CLOUDFLARE_API_TOKEN}}');
    assert.equal(brief(derived(named).status('GatewayClass/cloudflare').conditions)[0], 'Accepted=True/Accepted');
  });
});
