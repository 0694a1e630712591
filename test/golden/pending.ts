/** What a golden case can need that the engine does not have yet: a step of its own. */
export type Missing = never;

/** Scenario cases that wait for a feature, each with one that it needs. What is built is never listed. */
export const pending: Readonly<Record<string, Missing>> = {};
