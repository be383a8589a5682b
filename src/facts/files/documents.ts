import { isScalar, parseAllDocuments, type Document, type ErrorCode, type YAMLParseError } from 'yaml';
import { convert, NAME_IS_NO_TEXT, type Converted, type Remark } from './convert.ts';

/** A YAML document that is not empty. */
export interface ReadDocument extends Converted {
  readonly remarks: readonly Remark[];
}

/** Why a text holds no manifest, and where that shows. */
export interface Unreadable {
  readonly offset: number;
  readonly message: string;
}

/**
 * Reads the documents of a text, YAML or JSON, in one strict way: the syntax of YAML 1.2, plain scalars as kubectl reads them.
 * Of a broken text only the first place is told, since what follows it is guesswork.
 */
export function readDocuments(text: string): readonly ReadDocument[] | Unreadable {
  const documents = parse(text);
  const broken = documents.flatMap((each) => each.errors).toSorted((a, b) => a.pos[0] - b.pos[0])[0];
  if (broken !== undefined) {
    return templateIn(text) ?? { offset: broken.pos[0], message: `is no valid YAML: ${reasonOf(broken)}` };
  }
  const directive = documents.some((each) => each.directives.yaml.explicit) ? /^%YAML/m.exec(text) : null;
  if (directive !== null) {
    return { offset: directive.index, message: 'has a %YAML directive, which changes how values are read; remove it' };
  }
  const read = documents.filter((each) => !isEmpty(each)).map((each) => convert(each));
  const braces = read.some(({ remarks }) => remarks.some(({ message }) => message === NAME_IS_NO_TEXT));
  return (braces ? templateIn(text) : undefined) ?? read;
}

function parse(text: string): readonly Document.Parsed[] {
  const options = { uniqueKeys: false, stringKeys: false, merge: false, prettyErrors: false } as const;
  const parsed = parseAllDocuments(text, { ...options, version: '1.2', strict: true, logLevel: 'silent' });
  return 'empty' in parsed ? [] : parsed;
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return isScalar(contents) && contents.value === null;
}

/** A template is told as such rather than by the syntax error, or the odd mapping, that its braces happen to make. */
function templateIn(text: string): Unreadable | undefined {
  const action = /^[^#\n]*?(\{\{)/m.exec(text);
  if (action === null) return undefined;
  const message = 'is a Helm template and no manifest: render it first (helm template) and pass on what comes out';
  return { offset: action.index + action[0].length - 2, message };
}

const reasons: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'this line is not indented like its neighbours',
  BLOCK_AS_IMPLICIT_KEY: "a second ': ' in one line; put the value in quotes",
  TAB_AS_INDENT: 'a tab at the beginning of the line; indent with spaces',
  BAD_ALIAS: 'a broken alias; put a text that begins with * or & in quotes',
  BAD_SCALAR_START: 'a text that begins with this character must be in quotes',
  BAD_DQ_ESCAPE: 'no such escape in double quotes; write \\\\ for a backslash',
};

function reasonOf({ code, message }: YAMLParseError): string {
  return reasons[code] ?? message.charAt(0).toLowerCase() + message.slice(1);
}
