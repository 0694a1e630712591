import { dueBillingProjection } from '../../projections/due-billing/projection.js';
import type { DueAccount, DueBillingRow, DueTermRow } from '../../src/billing/read-models/due.js';
import type { DuePayment, DueTerm, DueAccountsScan } from '../../src/billing/scheduler/due-accounts-scan.js';
import type { Position } from '../../src/kernel/event.js';
import { MINUTE, plusMicros, type Instant } from '../../src/kernel/instant.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';

/** Late-event grace of the simulated organization, which is the default. */
const GRACE = 30n * MINUTE;

/** Lists due work with the pure projection over the log. The service reads the same rows with SQL. */
export class DueRows implements Pick<DueAccountsScan, 'terms' | 'accounts' | 'payments' | 'nextAfter'> {
  readonly #tables = new Map<string, Map<string, object>>();
  #reached: Position | undefined;

  constructor(private readonly store: EventStore) {}

  async *terms(until: Instant): AsyncGenerator<DueTerm> {
    const { terms, billing } = await this.#rows();
    for (const row of terms.sort((a, b) => (a.boundary < b.boundary ? -1 : 1))) {
      if (row.boundary > until) continue;
      const account = billing.find(({ subscription_id: id }) => id === row.subscription_id);
      yield { ...row, customer_key: account?.customer_key ?? null, currency: account?.currency ?? null };
    }
  }

  async *accounts(until: Instant): AsyncGenerator<DueAccount> {
    const { billing } = await this.#rows();
    const isBillable = (row: DueBillingRow) => row.due_at !== null && billableAt(row) <= until;
    const due = billing.filter((row) => row.unmet || isBillable(row));
    const nameOf = ({ customer_key: key, currency }: DueBillingRow) => `${key} ${currency}`;
    for (const name of new Set(due.map(nameOf))) {
      const rows = due.filter((row) => nameOf(row) === name);
      const { org, customer_key, currency } = rows[0]!;
      const dueOf = (row: DueBillingRow) => (isBillable(row) ? row.due_at! : 'unmet');
      const dues = rows.map((row) => `${row.subscription_id}@${row.stream_revision}@${dueOf(row)}`).sort();
      const last = rows
        .flatMap((row) => [isBillable(row) ? row.due_at! : row.recorded_at!, row.recorded_at ?? row.due_at!])
        .sort()
        .at(-1)!;
      const ids = rows.map((row) => row.subscription_id);
      const billable = rows.some(isBillable);
      yield { org, customer_key, currency, billable, caused_at: last, cause: dues.join(' '), terms: ids };
    }
  }

  async *payments(): AsyncGenerator<DuePayment> {
    return;
  }

  async nextAfter(now: Instant): Promise<Instant | undefined> {
    const { terms, billing } = await this.#rows();
    const due = billing.filter((row) => row.due_at !== null).map(billableAt);
    return [...terms.map(({ boundary }) => boundary), ...due].filter((at) => at > now).sort()[0];
  }

  /** Projects the events since the last call. Returns all rows. */
  async #rows(): Promise<{ terms: DueTermRow[]; billing: DueBillingRow[] }> {
    for await (const event of this.store.readAll(this.#reached)) {
      this.#reached = event.position;
      const handler = dueBillingProjection.on[event.type];
      if (handler === undefined || handler === 'ignore') continue;
      for (const { table, key, change } of handler(event)) {
        const name = JSON.stringify(key);
        const rows = this.#tables.get(table) ?? new Map<string, object>();
        this.#tables.set(table, rows);
        const after = change(rows.get(name));
        if (after) rows.set(name, after);
        else rows.delete(name);
      }
    }
    const rowsOf = <Row>(table: string) => [...(this.#tables.get(table)?.values() ?? [])] as Row[];
    return { terms: rowsOf('due_terms'), billing: rowsOf('due_billing') };
  }
}

const billableAt = ({ due_at: at, graced }: DueBillingRow): Instant =>
  graced ? plusMicros(at!, GRACE) : at!;
