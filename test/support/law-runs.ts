import fc from 'fast-check';

/** `lawTimes` of the jest project: that many times as many histories as `npm test` tries. */
const { lawTimes = 1 } = globalThis as { lawTimes?: number };
const SEED = 20261122;

/** How often a law is tried. fast-check prints the seed of a history that breaks it. */
export const tries = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.max(1, Math.round(usual * lawTimes)),
});

/**
 * So many of the tries are the same each time, so that what they must have reached does not hang on chance; the others
 * are new ones.
 */
export const theSame = <Case>(count: number, cases: fc.Arbitrary<Case>): { readonly examples: Case[] } => ({
  examples: fc.sample(cases, { numRuns: count, seed: SEED }),
});
