/** What GatewayClass.spec.controllerName must say for us to act. Source: gateway parameters, "Names". */
export const controllerName = 'cloudflare-gateway-controller.io/controller';

/** API groups as they are written in `apiVersion` and in references. The core group has one spelling: the empty string. */
export const groups = {
  core: '',
  gateway: 'gateway.networking.k8s.io',
  parameters: 'cloudflare-gateway-controller.io',
  /** Of the second system's kinds. */
  class: 'cf.k8s.lex.la',
  multicluster: 'multicluster.x-k8s.io',
} as const;

/** Annotations on a Gateway that ask something of us. */
export const annotations = {
  reconcile: 'cloudflare-gateway-controller.io/reconcile',
  reconcileEvery: 'cloudflare-gateway-controller.io/reconcileEvery',
  reconcileRequestedAt: 'cloudflare-gateway-controller.io/reconcileRequestedAt',
  rotateTokenRequestedAt: 'gateways.cloudflare-gateway-controller.io/rotateTokenRequestedAt',
} as const;

/** Labels on everything we make. `gatewayName` and `gatewayClassName` are the Gateway API's own. */
export const labels = {
  name: 'app.kubernetes.io/name',
  instance: 'app.kubernetes.io/instance',
  component: 'app.kubernetes.io/component',
  managedBy: 'app.kubernetes.io/managed-by',
  gatewayName: 'gateway.networking.k8s.io/gateway-name',
  gatewayClassName: 'gateway.networking.k8s.io/gateway-class-name',
  replica: 'cloudflare-gateway-controller.io/replica',
} as const;

/** Value of the label `managed-by`, and the field manager of our writes. */
export const managedBy = 'cloudflare-gateway-controller';

/** Keys of the credentials Secret. */
export const credentialKeys = { token: 'CLOUDFLARE_API_TOKEN', account: 'CLOUDFLARE_ACCOUNT_ID' } as const;
