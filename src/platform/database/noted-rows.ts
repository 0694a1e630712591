import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

/** Row with the wall time at which it was inserted: readers go on from one row to the next. */
export interface NotedRow {
  readonly id: Uuid;
  readonly notedAt: Instant;
}

/** Returns the place before all rows that were noted at an instant or later. */
export const beforeRowsSince = (notedAt: Instant): NotedRow => ({
  id: '00000000-0000-0000-0000-000000000000',
  notedAt,
});
