/** One condition as a rule claims it; the time of its last transition is added where it is written. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  /** What it depends on cannot be told now: the condition that is stored, if any, stays as it is. Never written. */
  readonly held?: true;
}

/** Condition types. The Gateway API's own, then those of the two systems we follow. */
export const conditionTypes = {
  accepted: 'Accepted',
  programmed: 'Programmed',
  resolvedRefs: 'ResolvedRefs',
  conflicted: 'Conflicted',
  partiallyInvalid: 'PartiallyInvalid',
  supportedVersion: 'SupportedVersion',
  ready: 'Ready',
  dnsManagement: 'DNSManagement',
  dnsRecordsApplied: 'DNSRecordsApplied',
  routeShadowed: 'cf.k8s.lex.la/RouteShadowed',
  permissiveHostname: 'cf.k8s.lex.la/PermissiveHostname',
  proxyConfigPushed: 'cf.k8s.lex.la/ProxyConfigPushed',
} as const;
