/** What became of each test of the suite, from the events of `go test -json`. */
export interface TestEvent {
  readonly Action: string;
  readonly Test?: string;
  readonly Output?: string;
  /** Seconds. */
  readonly Elapsed?: number;
}

export interface TestResult {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  /** The lines it and its parts printed. */
  readonly output: readonly string[];
}

const root = 'TestConformance';
const outcomes: Readonly<Record<string, TestResult['outcome']>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/** Reads events as they come; `told` hears of each test of the suite once it has ended. */
export interface EventReader {
  read(line: string): void;
  /** By name of the test. */
  readonly results: ReadonlyMap<string, TestResult>;
  /** What the suite printed outside of its tests: while it sets up, or when it ends. */
  readonly others: readonly string[];
}

export function readEvents(told: (name: string, result: TestResult) => void = () => {}): EventReader {
  const results = new Map<string, TestResult>();
  const printed = new Map<string, string[]>();
  const others: string[] = [];
  return {
    results,
    others,
    read(line) {
      const event = eventIn(line);
      if (event === undefined) return void others.push(line);
      const [top, name, ...inner] = event.Test?.split('/') ?? [];
      const isOfTest = top === root && name !== undefined;
      if (event.Output !== undefined) {
        const lines = isOfTest ? listIn(printed, name) : others;
        lines.push(event.Output.trimEnd());
      }
      const outcome = outcomes[event.Action];
      if (!isOfTest || inner.length > 0 || outcome === undefined) return;
      const result = { outcome, seconds: event.Elapsed ?? 0, output: listIn(printed, name) };
      results.set(name, result);
      told(name, result);
    },
  };
}

function listIn(map: Map<string, string[]>, key: string): string[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

function eventIn(line: string): TestEvent | undefined {
  try {
    return JSON.parse(line) as TestEvent;
  } catch {
    return undefined;
  }
}
