/** Every finding there is, with what it means. Where a condition says the same, the code is its reason. */
export const findingCodes = {
  InvalidParameters: 'A Gateway or GatewayClass names parameters or credentials that cannot be used.',
  Unassumed: 'An object that is usually not kept with manifests was taken to exist.',
} as const;

export type FindingCode = keyof typeof findingCodes;
