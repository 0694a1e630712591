import fc from 'fast-check';

/** Multiplier of the jest project for the number of runs. */
const { lawTimes = 1 } = globalThis as { lawTimes?: number };
const SEED = 20261122;

/** Returns the number of runs of a law. fast-check prints the seed of a failing run. */
export const tries = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.max(1, Math.round(usual * lawTimes)),
});

/** Returns fixed examples for a law, so that the cases which must occur do not depend on chance. */
export const theSame = <Case>(count: number, cases: fc.Arbitrary<Case>): { readonly examples: Case[] } => ({
  examples: fc.sample(cases, { numRuns: count, seed: SEED }),
});
