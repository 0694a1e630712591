import type { Pool } from 'pg';
import type { Uuid } from '../kernel/ids.js';
import type { OverlapReservation } from './domain/overlap-reservation.js';

/** A reservation of this age that its subscription does not have was left by a command that did not reach its append. */
export const ABANDONED = `taken_at < now() - interval '1 minute'`;

export interface HeldReservation extends OverlapReservation {
  readonly abandonable: boolean;
}

export type TimeSpan = Pick<OverlapReservation, 'start' | 'end'>;

/**
 * Releases an abandoned reservation whose subscription was never written, or sets it to the time span of its term, where
 * a change has lengthened it and did not reach the term.
 * @param ofTerm undefined for a subscription that was never written
 * @returns whether it was changed
 */
export async function releaseAbandoned(
  pool: Pool,
  org: Uuid,
  { subscriptionId, start, end }: HeldReservation,
  ofTerm: TimeSpan | undefined,
): Promise<boolean> {
  if (!ofTerm) {
    await pool.query({
      name: 'overlap-reservations-delete-abandoned',
      text: `delete from placements where org = $1 and subscription_id = $2 and ${ABANDONED}`,
      values: [org, subscriptionId],
    });
    return true;
  }
  if (ofTerm.start === start && ofTerm.end === end) return false;
  await pool.query({
    name: 'overlap-reservations-update-abandoned',
    text: `update placements set start_at = $3, end_at = $4
      where org = $1 and subscription_id = $2 and ${ABANDONED}`,
    values: [org, subscriptionId, ofTerm.start, ofTerm.end],
  });
  return true;
}
