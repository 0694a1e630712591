/** `lawTimes` of the jest project: that many times as many histories as `npm test` tries. */
const { lawTimes = 1 } = globalThis as { lawTimes?: number };

/** How often a law is tried. fast-check prints the seed of a history that breaks it. */
export const tries = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.max(1, Math.round(usual * lawTimes)),
});
