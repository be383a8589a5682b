/** What the suite says of itself: its profiles, and which features each test needs. catalogue_test.go writes it. */
export interface Catalogue {
  readonly profiles: readonly Profile[];
  readonly tests: readonly SuiteTest[];
}

export interface Profile {
  /** `GATEWAY-HTTP`, … */
  readonly name: string;
  readonly core: readonly string[];
  readonly extended: readonly string[];
}

export interface SuiteTest {
  readonly name: string;
  readonly features: readonly string[];
  readonly provisional: boolean;
}

/** How a profile counts a test: not at all if it needs a feature that is not the profile's. As the suite's own report does. */
export function levelOf({ core, extended }: Profile, { features }: SuiteTest): 'core' | 'extended' | undefined {
  if (!features.every((feature) => core.includes(feature) || extended.includes(feature))) return undefined;
  return features.every((feature) => core.includes(feature)) ? 'core' : 'extended';
}
