/** Compares an answer with what the manifests say of it. */
import type { Case, Expected } from './cases.ts';
import type { Answer } from './request.ts';

/** Every difference, as a sentence; none if the answer is as it should be. */
export function differences({ expected, target }: Pick<Case, 'expected' | 'target'>, answer: Answer): string[] {
  const { seen: backend } = answer;
  const found = [
    differs('status', expected.status, answer.status),
    differs('backend', expected.backend, backend?.backend),
    differs('Location', expected.location, answer.headers.location),
    ...Object.entries(expected.answered ?? {}).map(([name, value]) => differs(name, value, answer.headers[name])),
    ...Object.entries(expected.seen ?? {}).map(([name, value]) =>
      differs(`${name} at the backend`, value ?? undefined, backend?.headers[name]),
    ),
  ];
  if (expected.backend !== undefined)
    found.push(differs('path at the backend', expected.target ?? target, backend?.target));
  return found.filter((each) => each !== undefined);
}

type Value = string | number | readonly string[] | undefined;

function differs(what: string, wanted: Value, got: Value): string | undefined {
  if (wanted === got) return undefined;
  return `${what}: expected ${shown(wanted)}, got ${shown(got)}`;
}

function shown(value: Value): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

/** `200 shop/api`, `200 shop/api as /items/7` where a filter changed the path, `301 https://…`, `404`. */
export function described({ status, backend, location, target }: Expected): string {
  const path = target === undefined ? undefined : `as ${target}`;
  return [status, backend ?? location, path].filter((part) => part !== undefined).join(' ');
}

/** The same of the answer to a request for `target`. */
export function describedAnswer({ status, seen, headers: { location } }: Answer, target: string): string {
  return described({
    status,
    ...(seen === undefined ? {} : { backend: seen.backend }),
    ...(seen === undefined || seen.target === target ? {} : { target: seen.target }),
    ...(location === undefined ? {} : { location }),
  });
}
