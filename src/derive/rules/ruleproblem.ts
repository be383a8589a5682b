/**
 * What is wrong with a rule. `reference`: ResolvedRefs. `refused`: nothing of the rule is served. `partial`: a part is not
 * served, the rule is. `remark`: served as written, though perhaps not as meant.
 */
export interface RuleProblem {
  readonly kind: 'reference' | 'refused' | 'partial' | 'remark';
  readonly reason: string;
  /** Field of the route. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A part that fails closed. */
export function refusedAt(path: RuleProblem['path'], message: string, kind: 'refused' | 'partial'): RuleProblem {
  return { kind, reason: 'UnsupportedValue', path, message: `${message}; its requests are answered 500` };
}
