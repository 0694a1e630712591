import type { TermBillingStatus } from '../../src/billing/accounts/domain/event-data.js';
import type { BillingGraceRow, DueBillingRow, DueTermRow } from '../../src/billing/read-models/due.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { earliest, plusMicros, type Instant } from '../../src/kernel/instant.js';
import { BULK_RUN_TIMEOUT } from '../../src/subscription/domain/bulk-change.js';
import type { Term } from '../../src/subscription/domain/events.js';
import { defineProjection, type EventOf } from '../events.js';
import { change, put, type RowChange } from '../runtime/projection.js';
import { billingGrace, dueBilling, dueTerms } from './tables.js';

/**
 * Read model of the scheduler's work: terms at their boundary and accounts with something due
 * (docs/adr/0002-runs-say-what-is-due-and-find-late-usage.md).
 */
export const dueBillingProjection = defineProjection({
  name: 'due-billing',
  version: 7,
  tables: { due_billing: dueBilling, due_terms: dueTerms, billing_grace: billingGrace },
  on: {
    SubscriptionStarted: (event) => {
      const { term, origin } = event.data;
      const key = { org: event.metadata.org, subscription_id: term.subscriptionId };
      // After a switch that waits for the next invoice, other charges of the successor can fall due before the first ones.
      const at = term.basis.continues?.billedAt ?? term.start;
      const waits = at > term.start;
      const graced = waits || origin.kind === 'renewal';
      const row = openedTerm(event, term, { due_at: at, graced, unmet: waits });
      return [
        put<DueTermRow>('due_terms', key, { boundary: term.end, ...key }),
        change<DueBillingRow>('due_billing', key, (known) => known ?? row),
      ];
    },
    SubscriptionRenewed: (event) => termOver(event),
    SubscriptionEnded: (event) => termOver(event),
    EndDateChanged: (event) => {
      const key = { org: event.metadata.org, subscription_id: event.data.subscriptionId };
      const { end, formerEnd = end } = event.data;
      return [
        change<DueTermRow>('due_terms', key, (row) => row && { ...row, boundary: end }),
        // Makes an extended term due at its former end: the run then records the next due instant.
        due(event, earliest(end, formerEnd), true),
      ];
    },
    SubscriptionCancelled: (event) => {
      const key = { org: event.metadata.org, subscription_id: event.data.subscriptionId };
      return [change<DueTermRow>('due_terms', key, () => undefined), dueWhenBilled(event)];
    },
    AddonAttached: (event) => {
      const { start, invoiceWhen } = event.data.addon;
      return [invoiceWhen === 'invoice_on_attach' ? due(event, start, false) : unmet(event)];
    },
    AddonCancelled: (event) => [
      due(event, event.data.billedAt, event.data.invoicing === 'add_to_next_invoice'),
    ],
    // Otherwise the next run bills it.
    PrepaidUnitsChanged: (event) =>
      event.data.invoiceNow ? [due(event, event.data.effectiveAt, false)] : [],
    SubscriptionSwitched: (event) => {
      const key = { org: event.metadata.org, subscription_id: event.data.subscriptionId };
      const { successor, effectiveAt, billedTogether, invoicing } = event.data;
      const over = [change<DueTermRow>('due_terms', key, () => undefined), dueWhenBilled(event)];
      if (!billedTogether || invoicing !== 'invoice_now' || successor.start > effectiveAt) return over;
      // Makes the successor due at once, before its own stream begins.
      const next = { ...key, subscription_id: successor.subscriptionId };
      const at = plusMicros(successor.start, BULK_RUN_TIMEOUT);
      const row = openedTerm(event, successor, { due_at: at, graced: false, unmet: false });
      return [...over, change<DueBillingRow>('due_billing', next, (known) => known ?? row)];
    },
    InvoiceComputed: (event) => billingStatuses(event, event.data),
    NothingDue: (event) => billingStatuses(event, event.data),
    InvoiceVoided: (event) => makeChargesDueAgain(event),
    OrganizationCreated: (event) => grace(event.metadata.org, event.data.settings.lateEventGraceMinutes),
    SettingsChanged: (event) => grace(event.metadata.org, event.data.changes.lateEventGraceMinutes),
  },
});

/** Removes the term from the boundaries: its end is decided, and its last charges are due with the grace. */
function termOver(
  event: RecordedEvent<{ type: string; data: { subscriptionId: string; effectiveAt: Instant } }>,
): RowChange[] {
  const key = { org: event.metadata.org, subscription_id: event.data.subscriptionId };
  return [change<DueTermRow>('due_terms', key, () => undefined), due(event, event.data.effectiveAt, true)];
}

/** Row of a term that begins. */
const openedTerm = (
  { metadata: { org, recordedAt } }: RecordedEvent,
  { subscriptionId, customerKey, basis }: Term,
  due: Pick<DueBillingRow, 'due_at' | 'graced' | 'unmet'>,
): DueBillingRow => ({
  org,
  subscription_id: subscriptionId,
  customer_key: customerKey,
  currency: basis.currency,
  ...due,
  last_run_at: null,
  stream_revision: '0',
  recorded_at: recordedAt,
});

/** Due instant of a term's end: at once, at the end of the period, or by a bulk run. */
function dueWhenBilled(event: EventOf<'SubscriptionCancelled'> | EventOf<'SubscriptionSwitched'>): RowChange {
  const { billedAt, invoicing, billedTogether } = event.data;
  if (invoicing === 'add_to_next_invoice') return due(event, billedAt, true);
  if (!billedTogether) return due(event, billedAt, false);
  // A bulk run bills the term. Another run before it would find nothing to bill.
  const own = { due_at: plusMicros(billedAt, BULK_RUN_TIMEOUT), graced: false };
  return change<DueBillingRow>(
    'due_billing',
    { org: event.metadata.org, subscription_id: event.data.subscriptionId },
    (row) => row && { ...row, ...own, ...changedBy(event) },
  );
}

/** Makes a changed term due, unless it is due earlier. */
const due = (
  event: RecordedEvent<{ type: string; data: { subscriptionId: string } }>,
  at: Instant,
  graced: boolean,
): RowChange =>
  change<DueBillingRow>(
    'due_billing',
    { org: event.metadata.org, subscription_id: event.data.subscriptionId },
    (row) =>
      row && {
        ...row,
        ...(row.due_at !== null && row.due_at < at ? {} : { due_at: at, graced }),
        ...changedBy(event),
      },
  );

/** Lets a run say when a changed term falls due, and bill nothing before. */
const unmet = (event: RecordedEvent<{ type: string; data: { subscriptionId: string } }>): RowChange =>
  change<DueBillingRow>(
    'due_billing',
    { org: event.metadata.org, subscription_id: event.data.subscriptionId },
    (row) => row && { ...row, unmet: true, ...changedBy(event) },
  );

const changedBy = ({ revision, metadata }: RecordedEvent) => ({
  stream_revision: revision.toString(),
  recorded_at: metadata.recordedAt,
});

/** Records the next due instant that a run found. A term that changed since the run read it stays due. */
function billingStatuses(
  event: RecordedEvent,
  { terms, asOf }: { readonly terms: readonly TermBillingStatus[]; readonly asOf: Instant },
): RowChange[] {
  return terms.map((status) => {
    const key = { org: event.metadata.org, subscription_id: status.subscriptionId };
    return change<DueBillingRow>('due_billing', key, (row) => {
      if (!row) return row;
      const withRun = { ...row, last_run_at: asOf };
      if (BigInt(row.stream_revision) > BigInt(status.revision)) return withRun;
      if (status.settled) return undefined;
      return { ...withRun, due_at: status.nextDueAt, graced: status.nextDueGraced, unmet: false };
    });
  });
}

/** Makes the charges of a voided invoice due again, also of settled terms. */
function makeChargesDueAgain({ data, metadata: { org } }: EventOf<'InvoiceVoided'>): RowChange[] {
  const { customerKey, currency, terms } = data;
  return terms.map(({ subscriptionId, revision, nextDueAt: dueAt, nextDueGraced: graced }) => {
    const key = { org, subscription_id: subscriptionId };
    const fresh = {
      ...key,
      customer_key: customerKey,
      currency,
      stream_revision: revision,
      recorded_at: null,
      due_at: null,
      graced,
      unmet: false,
      last_run_at: null,
    };
    return change<DueBillingRow>('due_billing', key, (row = fresh) =>
      row.due_at !== null && dueAt !== null && row.due_at <= dueAt ? row : { ...row, due_at: dueAt, graced },
    );
  });
}

function grace(org: string, minutes: number | undefined): RowChange[] {
  if (minutes === undefined) return [];
  return [put<BillingGraceRow>('billing_grace', { org }, { org, late_event_grace_minutes: minutes })];
}
