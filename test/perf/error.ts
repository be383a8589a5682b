/** An answer was wrong, late or lost: there is nothing to be measured. */
export class CheckFailed extends Error {}

/** The machine lacks something: one sentence that says what, and the remedy. */
export class Missing extends Error {}
