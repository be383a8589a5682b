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
export function selectorProblem({ matchLabels, matchExpressions }: LabelSelector): string | undefined {
  return [
    ...Object.entries(matchLabels ?? {}).map(([key, value]) => syntaxProblem(key, [value])),
    ...(matchExpressions ?? []).map(requirementProblem),
  ].find((problem) => problem !== undefined);
}

function requirementProblem({ key, operator, values = [] }: LabelRequirement): string | undefined {
  if (!['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator))
    return `operator ${operator} of key ${key} is none of In, NotIn, Exists, DoesNotExist`;
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues && values.length === 0) return `operator ${operator} of key ${key} needs values`;
  if (!needsValues && values.length > 0) return `operator ${operator} of key ${key} takes no values`;
  return syntaxProblem(key, values);
}

const labelName = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelPrefix = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Kubernetes: an optional DNS name and a slash, then up to 63 characters; a value is such a name, or nothing. */
function syntaxProblem(key: string, values: readonly string[]): string | undefined {
  const slash = key.indexOf('/');
  const hasPrefix = slash >= 0;
  if (hasPrefix && (slash > 253 || !labelPrefix.test(key.slice(0, slash))))
    return `${key} cannot be the key of a label`;
  if (!labelName.test(key.slice(slash + 1))) return `${key} cannot be the key of a label`;
  const value = values.find((each) => each !== '' && !labelName.test(each));
  return value === undefined ? undefined : `"${value}" cannot be the value of label ${key}`;
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
