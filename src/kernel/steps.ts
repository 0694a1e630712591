/** A long computation in steps: whoever does them decides what happens between two of them. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export function doSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
