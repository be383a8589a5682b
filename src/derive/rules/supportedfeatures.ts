/**
 * What of the Gateway API is served, by the names that the conformance suite has for it, sorted. A feature that is only accepted, or only half
 * served, is not in it: the suite runs the tests of exactly these. Spec: GatewayClassStatus.supportedFeatures.
 */
const features = [
  'Gateway',
  'GatewayAddressEmpty',
  'GatewayHTTPListenerIsolation',
  'GatewayHTTPSListenerDetectMisdirectedRequests',
  'GatewayInfrastructure',
  'GatewayPort8080',
  'HTTPRoute',
  'HTTPRoute303RedirectStatusCode',
  'HTTPRoute307RedirectStatusCode',
  'HTTPRoute308RedirectStatusCode',
  'HTTPRouteBackendProtocolH2C',
  'HTTPRouteBackendProtocolWebSocket',
  'HTTPRouteBackendRequestHeaderModification',
  'HTTPRouteBackendTimeout',
  'HTTPRouteDestinationPortMatching',
  'HTTPRouteHostRewrite',
  'HTTPRouteMethodMatching',
  'HTTPRouteNamedRouteRule',
  'HTTPRouteParentRefPort',
  'HTTPRoutePathRedirect',
  'HTTPRoutePathRewrite',
  'HTTPRoutePortRedirect',
  'HTTPRouteQueryParamMatching',
  'HTTPRouteRequestTimeout',
  'HTTPRouteResponseHeaderModification',
  'HTTPRouteSchemeRedirect',
  'ReferenceGrant',
] as const;

/** As GatewayClass.status.supportedFeatures has it. The API server takes at most 64, in ascending order. */
export const supportedFeatures: readonly { readonly name: string }[] = features.map((name) => ({ name }));
