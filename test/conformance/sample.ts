/** Ten tests, one of each kind of thing the operator and its proxies do: those that the gate runs. */
export const sample: readonly string[] = [
  'GatewayModifyListeners',
  'GatewaySecretReferenceGrantSpecific',
  'GatewayWithAttachedRoutes',
  'HTTPRouteHTTPSListener',
  'HTTPRouteHostnameIntersection',
  'HTTPRouteListenerPortMatching',
  'HTTPRouteMultipleGateways',
  'HTTPRouteReferenceGrant',
  'HTTPRouteServiceTypes',
  'HTTPRouteWeight',
];
