import type { Json } from './crds.ts';

const WIDTH = 140;

/** JSON whose values stand on one line where they fit: short to read, and a change in it is a short difference. */
export function layout(value: Json, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    return `[\n${value.map((each: Json) => inner + layout(each, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${layout(each, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}
