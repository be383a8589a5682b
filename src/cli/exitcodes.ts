/** Exit codes of cfgwctl; scripts may rely on them. Source: decisions, "Exit codes". */
export const exitCodes = {
  /** Done, whatever status the objects would get. */
  fine: 0,
  /** `--check` found a difference, or a finding is at the level that `--fail-on` names. */
  differs: 1,
  /** Input, an argument or a file that cannot be used; nothing was written. */
  badInput: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something the person at the keyboard can mend: its message is one sentence, and no stack is shown. */
export class UsageError extends Error {}
