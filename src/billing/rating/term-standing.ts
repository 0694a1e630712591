import { DAY, MINUTE, plusMicros } from '../../kernel/instant.js';
import type { TermStanding } from '../domain/events.js';
import type { RunData, RunTerm } from './run.js';
import type { NextDue } from './schedule.js';

/** How long after its end late usage still becomes a line of a term. */
const CORRECTIONS = 30n * DAY;

/**
 * Where a term stands after a run: when it is billed next, or that it is settled, which is when nothing is left to bill
 * and 30 days plus grace have passed since its end (architecture.md section 7).
 */
export function standingOf(
  { term, revision }: RunTerm,
  next: NextDue | null,
  { asOf, organization }: Pick<RunData, 'asOf' | 'organization'>,
): TermStanding {
  const grace = BigInt(organization.settings.lateEventGraceMinutes) * MINUTE;
  return {
    subscriptionId: term.subscriptionId,
    revision,
    nextDueAt: next?.at ?? null,
    nextDueGraced: next?.graced ?? false,
    settled: next === null && asOf >= plusMicros(term.end, CORRECTIONS + grace),
  };
}
