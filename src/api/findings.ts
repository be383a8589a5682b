/** Every finding there is, with what it means. Where a condition says the same, the code is its reason. */
export const findingCodes = {
  InvalidParameters: 'A Gateway or GatewayClass names parameters or credentials that cannot be used.',
  Assumed: 'An object that is usually not kept with manifests was taken to exist.',
  NoMatchingParent: 'A parentRef names no listener that is served.',
  NotAllowedByListeners: 'No listener admits the route from its namespace.',
  NoMatchingListenerHostname: 'No hostname of the route lies within those of its listeners.',
  Pending: 'Something that the decision needs is not ready or not known yet.',
  ParentNotFound: 'A parentRef names a Gateway that does not exist.',
  UnsupportedValue: 'A part of a route cannot be served and fails closed.',
  IncompatibleFilters: 'A rule combines RequestRedirect with URLRewrite.',
  BackendNotFound: 'A backendRef names a Service or port that does not exist.',
  InvalidKind: 'A reference names a kind that is not served there.',
  RefNotPermitted: 'A reference into another namespace has no ReferenceGrant.',
  UnsupportedProtocol: 'An appProtocol or a listener protocol that is not served.',
  InvalidBackendTLSPolicy: 'A BackendTLSPolicy that cannot be enforced closes its backend.',
  RouteShadowed: 'A match that a route of higher precedence claims for itself.',
  HalfAnchoredPattern: 'A pattern that looks written for a search, while it is compared with the whole value.',
  ConfigOverridden: 'Served as written, though it defeats something else that was asked for.',
} as const;

export type FindingCode = keyof typeof findingCodes;
