/** Schemas of the pieces of Kubernetes' own API that values hand on: each closed one level deep, where misspelling is likely. */
import { Type, type TProperties, type TSchema } from 'typebox';

/** An object of these fields, of which the named ones are required. */
function closed(properties: TProperties, required: readonly string[] = []): TSchema {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : Type.Optional(schema),
  ]);
  return Type.Object(Object.fromEntries(entries), { additionalProperties: false });
}

const text = Type.String();
const flag = Type.Boolean();
const whole = Type.Integer();
const count = Type.Integer({ minimum: 0 });
const seconds = Type.Integer({ minimum: 1 });
/** A piece whose fields the API server knows better than we do. */
const open = Type.Record(Type.String(), Type.Unknown());
const quantities = Type.Record(Type.String(), Type.Union([text, Type.Number()]));

/** Pods, as a number or a percentage; null takes a default away. */
export const amount = Type.Union([count, Type.String({ pattern: '^[0-9]+%$' }), Type.Null()]);

export const resources = closed({
  requests: quantities,
  limits: quantities,
  claims: Type.Array(open),
});

const security = {
  runAsNonRoot: flag,
  runAsUser: whole,
  runAsGroup: whole,
  seccompProfile: closed({ type: Type.Enum(['RuntimeDefault', 'Unconfined', 'Localhost']), localhostProfile: text }),
  appArmorProfile: closed({ type: Type.Enum(['RuntimeDefault', 'Unconfined', 'Localhost']), localhostProfile: text }),
  seLinuxOptions: open,
  windowsOptions: open,
};

export const podSecurityContext = closed({
  ...security,
  fsGroup: whole,
  fsGroupChangePolicy: Type.Enum(['OnRootMismatch', 'Always']),
  supplementalGroups: Type.Array(whole),
  supplementalGroupsPolicy: Type.Enum(['Merge', 'Strict']),
  seLinuxChangePolicy: text,
  sysctls: Type.Array(open),
});

export const securityContext = closed({
  ...security,
  allowPrivilegeEscalation: flag,
  capabilities: closed({ add: Type.Array(text), drop: Type.Array(text) }),
  privileged: flag,
  procMount: text,
  readOnlyRootFilesystem: flag,
});

export const probe = closed({
  initialDelaySeconds: count,
  periodSeconds: seconds,
  timeoutSeconds: seconds,
  failureThreshold: seconds,
  successThreshold: seconds,
  terminationGracePeriodSeconds: seconds,
});

export const topologySpreadConstraint = closed(
  {
    maxSkew: seconds,
    topologyKey: text,
    whenUnsatisfiable: Type.Enum(['DoNotSchedule', 'ScheduleAnyway']),
    labelSelector: open,
    matchLabelKeys: Type.Array(text),
    minDomains: seconds,
    nodeAffinityPolicy: Type.Enum(['Honor', 'Ignore']),
    nodeTaintsPolicy: Type.Enum(['Honor', 'Ignore']),
  },
  ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
);

export const toleration = closed({
  key: text,
  operator: Type.Enum(['Exists', 'Equal', 'Lt', 'Gt']),
  value: text,
  effect: Type.Enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  tolerationSeconds: whole,
});

export const affinity = closed({ nodeAffinity: open, podAffinity: open, podAntiAffinity: open });

export const environment = closed({ name: Type.String({ minLength: 1 }), value: text, valueFrom: open }, ['name']);

/** Its other field is one of the thirty kinds of volume. */
export const volume = Type.Object({ name: Type.String({ minLength: 1 }) });

export const volumeMount = closed(
  {
    name: Type.String({ minLength: 1 }),
    mountPath: Type.String({ minLength: 1 }),
    mountPropagation: text,
    readOnly: flag,
    recursiveReadOnly: text,
    subPath: text,
    subPathExpr: text,
  },
  ['name', 'mountPath'],
);

export const networkPolicyPeer = closed({ namespaceSelector: open, podSelector: open, ipBlock: open });

export const networkPolicyEgress = closed({ to: Type.Array(networkPolicyPeer), ports: Type.Array(open) });
