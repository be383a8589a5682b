/** The report of a run, from its events; the suite's own report is kept beside it. */
import { levelOf } from './catalogue.ts';
import type { Catalogue } from './catalogue.ts';
import type { TestResult } from './events.ts';

export interface Counts {
  passed: number;
  failed: number;
  /** Left out although what they need is supported. Tests of features that are not are no part of the counts, as in the suite's own report. */
  skipped: number;
}

/** `<mode>.json`. */
export interface Report {
  readonly mode: string;
  /** Version of the suite. */
  readonly suite: string;
  /** Of the CRDs: `experimental` or `standard`. */
  readonly channel: string;
  readonly profiles: Readonly<Record<string, { readonly core: Counts; readonly extended: Counts }>>;
  readonly failed: readonly string[];
  /** Why, by name. */
  readonly skipped: Readonly<Record<string, string>>;
}

export interface Run {
  readonly mode: string;
  readonly suite: string;
  readonly channel: string;
  readonly catalogue: Catalogue;
  /** Names of the profiles that were asked for. */
  readonly profiles: readonly string[];
  /** What GatewayClass.status.supportedFeatures names. */
  readonly supported: readonly string[];
  readonly results: ReadonlyMap<string, TestResult>;
}

/** A test of which there is no event did not run: the suite ended before it. */
export function reportOf({ mode, suite, channel, ...run }: Run): Report {
  const { catalogue, supported, results } = run;
  const outcome = (name: string): TestResult['outcome'] => results.get(name)?.outcome ?? 'skipped';
  const profiles = catalogue.profiles.filter(({ name }) => run.profiles.includes(name));
  const counted = profiles.map((profile) => {
    const counts = { core: zero(), extended: zero() };
    for (const test of catalogue.tests) {
      const level = levelOf(profile, test);
      const isClaimed = test.features.every((each) => profile.core.includes(each) || supported.includes(each));
      const isRun = isClaimed || outcome(test.name) !== 'skipped';
      if (level !== undefined && isRun) counts[level][outcome(test.name)] += 1;
    }
    return [profile.name, counts] as const;
  });
  const names = catalogue.tests.map(({ name }) => name).toSorted();
  const skipped = names.filter((name) => outcome(name) === 'skipped');
  return {
    mode,
    suite,
    channel,
    profiles: Object.fromEntries(counted),
    failed: names.filter((name) => outcome(name) === 'failed'),
    skipped: Object.fromEntries(skipped.map((name) => [name, reasonOf(results.get(name))])),
  };
}

function zero(): Counts {
  return { passed: 0, failed: 0, skipped: 0 };
}

/** The suite prints `file.go:56: Skipping NAME: suite does not support FEATURE`. */
function reasonOf(result: TestResult | undefined): string {
  if (result === undefined) return 'it did not run: the suite ended before';
  const said = result.output.map((line) => /Skipping \w+: (.+)/.exec(line)?.[1]).find((reason) => reason !== undefined);
  return said ?? 'the suite gives no reason';
}
