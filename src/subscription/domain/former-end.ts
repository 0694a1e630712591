import { earliest, type Instant } from '../../kernel/instant.js';
import { nextBoundary } from '../../kernel/period.js';
import type { Term } from './events.js';

/** Where the billing period that runs at an instant would have ended. */
export const formerEnd = ({ basis, end }: Term, at: Instant): Instant =>
  earliest(nextBoundary(at, basis.zone, basis.duration, basis.anchor), end);
