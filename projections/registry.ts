import type { Projection } from './runtime/projection.js';

/** Every read model there is. */
export const PROJECTIONS: readonly Projection[] = [];
