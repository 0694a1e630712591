import { MINUTE, plusMicros } from '../../kernel/instant.js';
import type { Instant } from '../../kernel/instant.js';
import { inOrder } from '../../kernel/order.js';
import type { RunData, RunTerm } from './run.js';
import { scheduleOf } from './schedule.js';
import { withSettlements } from './settled-terms.js';

/**
 * The run that an account's next boundary will cause, if nothing changes until then: `data` as it will stand at the
 * instant the next thing is billed, grace included. Where nothing more falls due it is a run at this moment.
 *
 * @param data the account at this moment, which is its `asOf`
 * @param successors the terms that renewals will begin at the ends of these
 * @param withNextPeriod whether what the periods that begin there charge in advance stands on the invoice
 */
export function nextRun(data: RunData, successors: readonly RunTerm[], withNextPeriod: boolean): RunData {
  const grace = data.organization.settings.lateEventGraceMinutes;
  const billedAt = (term: RunTerm): Instant[] => {
    const { next } = scheduleOf(term, data.asOf, grace);
    return next ? [next.graced ? plusMicros(next.at, BigInt(grace) * MINUTE) : next.at] : [];
  };
  const dates = withSettlements(data.terms, data).flatMap(billedAt);
  const renewed: RunTerm[] = [];
  for (const successor of [...successors].sort(byStart)) {
    if (dates.some((date) => date < successor.term.start)) break;
    renewed.push(successor);
    dates.push(...billedAt(successor));
  }
  const terms = withNextPeriod
    ? [...data.terms, ...renewed]
    : data.terms.map((term) => ({ ...term, periodsBegunBy: data.asOf }));
  return { ...data, asOf: dates.sort()[0] ?? data.asOf, terms };
}

const byStart = (a: RunTerm, b: RunTerm): number => inOrder(a.term.start, b.term.start);
