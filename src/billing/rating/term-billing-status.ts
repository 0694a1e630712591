import { DAY, MINUTE, plusMicros } from '../../kernel/instant.js';
import type { TermBillingStatus } from '../accounts/domain/event-data.js';
import type { RunData, RunTerm } from './run.js';
import { firstDue, type NextDue, type TermSchedule } from './schedule.js';

/** Time after a term's end in which late usage still makes a line. */
const CORRECTIONS = 30n * DAY;

interface Scheduled extends TermSchedule {
  readonly runTerm: RunTerm;
}

/** Computes the billing status of terms after a run, each with its add-ons: a term owes something while one of them does. */
export function termBillingStatuses(
  schedules: readonly Scheduled[],
  data: Pick<RunData, 'asOf' | 'organization'>,
): TermBillingStatus[] {
  const grace = BigInt(data.organization.settings.lateEventGraceMinutes) * MINUTE;
  const addons = schedules.filter(({ runTerm }) => runTerm.addon);
  return schedules.flatMap(({ runTerm, next }) => {
    if (runTerm.addon) return [];
    const own = addons.filter((addon) => addon.runTerm.term.subscriptionId === runTerm.term.subscriptionId);
    if (own.length === 0) return [termBillingStatus(runTerm, next, data)];
    const first = own.reduce<NextDue | null>((soonest, addon) => firstDue(soonest, addon.next, grace), next);
    return [{ ...termBillingStatus(runTerm, first, data), addons: own.map(addonStatus) }];
  });
}

const addonStatus = ({ runTerm: { addon }, next }: Scheduled) => ({
  addonSubscriptionId: addon!.addonSubscriptionId,
  billed: !addon!.endsWithTerm && next === null,
});

/** A term is settled when nothing is left to bill and 30 days plus grace have passed (docs/architecture.md#settled-terms). */
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
