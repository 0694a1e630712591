import { ownTurn } from '../../platform/concurrency/for-each-concurrent.js';
import { computeInvoice } from '../rating/compute-invoice.js';
import type { RunData } from '../rating/run.js';
import { schedulesOf } from '../rating/usage-needs.js';
import type { RunResult } from './domain/run-result.js';
import type { UsageCounter } from './usage-counter.js';

/** Terms from which on the steps of a run take longer than other callers should wait for all of them at once. */
const MANY_TERMS = 20;

/**
 * Seals and counts the usage that a run needs, then computes the run. Over many terms, as after a bulk change, the rest of
 * the process goes on between the steps.
 * @param left set for a run that is not recorded: it counts within its organization's share, until this aborts
 * @throws DomainError `amount_out_of_range`
 */
export async function computeRun(
  usage: Pick<UsageCounter, 'count'>,
  data: RunData,
  left?: AbortSignal,
): Promise<RunResult> {
  const giveWay = async (): Promise<void> => {
    if (data.terms.length >= MANY_TERMS) await ownTurn();
  };
  await giveWay();
  const schedules = schedulesOf(data);
  await giveWay();
  const counted = await usage.count(data.org, data, schedules, left);
  const result = computeInvoice(data, counted, schedules);
  await giveWay();
  return result;
}
