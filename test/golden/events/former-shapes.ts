import type { FormerShape } from './shapes.js';

/** Examples of what former releases have stored. They are moved here as they were, and stay for ever. */
export const FORMER_SHAPES: readonly FormerShape[] = [];
