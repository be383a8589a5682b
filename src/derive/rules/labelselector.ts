/** A label selector as Kubernetes writes it (LabelSelector of meta/v1). */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

interface LabelRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** True if the labels meet every requirement; an empty selector selects everything. */
export function matchesLabels(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return (
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (selector.matchExpressions ?? []).every((requirement) => meets(requirement, labels))
  );
}

/** What is wrong with a selector, if anything: one that does not parse selects nothing. */
export function selectorProblem(selector: LabelSelector): string | undefined {
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator))
      return `operator ${operator} of key ${key} is none of In, NotIn, Exists, DoesNotExist`;
    const needsValues = operator === 'In' || operator === 'NotIn';
    if (needsValues && values.length === 0) return `operator ${operator} of key ${key} needs values`;
    if (!needsValues && values.length > 0) return `operator ${operator} of key ${key} takes no values`;
  }
  return undefined;
}

function meets({ key, operator, values = [] }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
