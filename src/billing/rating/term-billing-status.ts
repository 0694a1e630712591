import { DAY, MINUTE, plusMicros } from '../../kernel/instant.js';
import type { TermBillingStatus } from '../accounts/domain/event-data.js';
import type { RunData, RunTerm } from './run.js';
import { sooner, type NextDue, type TermSchedule } from './schedule.js';

/** How long after its end late usage still becomes a line of a term. */
const CORRECTIONS = 30n * DAY;

interface Looked extends TermSchedule {
  readonly runTerm: RunTerm;
}

/** Where the terms of a run stand after it, each with its add-ons: a term owes something while one of them does. */
export function termBillingStatuses(
  schedules: readonly Looked[],
  data: Pick<RunData, 'asOf' | 'organization'>,
): TermBillingStatus[] {
  const grace = BigInt(data.organization.settings.lateEventGraceMinutes) * MINUTE;
  const addons = schedules.filter(({ runTerm }) => runTerm.addon);
  return schedules.flatMap(({ runTerm, next }) => {
    if (runTerm.addon) return [];
    const own = addons.filter((addon) => addon.runTerm.term.subscriptionId === runTerm.term.subscriptionId);
    if (own.length === 0) return [termBillingStatus(runTerm, next, data)];
    const first = own.reduce<NextDue | null>((soonest, addon) => sooner(soonest, addon.next, grace), next);
    return [{ ...termBillingStatus(runTerm, first, data), addons: own.map(addonStanding) }];
  });
}

const addonStanding = ({ runTerm: { addon }, next }: Looked) => ({
  addonSubscriptionId: addon!.addonSubscriptionId,
  billed: !addon!.endsWithTerm && next === null,
});

/**
 * Where a term stands after a run: when it is billed next, or that it is settled, which is when nothing is left to bill
 * and 30 days plus grace have passed since its end (docs/architecture.md#settled-terms).
 */
function termBillingStatus(
  { term, revision }: RunTerm,
  next: NextDue | null,
  { asOf, organization }: Pick<RunData, 'asOf' | 'organization'>,
): TermBillingStatus {
  const grace = BigInt(organization.settings.lateEventGraceMinutes) * MINUTE;
  return {
    subscriptionId: term.subscriptionId,
    revision,
    nextDueAt: next?.at ?? null,
    nextDueGraced: next?.graced ?? false,
    settled: next === null && asOf >= plusMicros(term.end, CORRECTIONS + grace),
  };
}
