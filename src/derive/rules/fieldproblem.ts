import { pathText } from '../../facts/fieldpath.ts';

/** What is wrong with a field of parameters, whoever holds them: `path` from their spec on, `message` what it is and what to do. */
export interface FieldProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** `spec.tunnel.replicas[0].zone is …`, told of the object that holds the parameters. */
export function fieldSentence(holder: string, base: readonly string[], { path, message }: FieldProblem): string {
  return `${holder}: ${pathText([...base, ...path])} ${message}`;
}
