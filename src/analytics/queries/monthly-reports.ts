import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { AnalyticsReader, type RowsAsOf } from './analytics-reader.js';
import { everyMonth, monthOf, type Month, type MonthlyRow } from './every-month.js';

export interface MonthsSelection {
  readonly first: Month;
  readonly last: Month;
  readonly currency: string | undefined;
}

/** Amounts are decimal text in major units, as PostgreSQL writes them. */
interface RecurringRevenueRow extends MonthlyRow {
  readonly customers: string;
  readonly mrr: string;
  readonly new: string;
  readonly expansion: string;
  readonly contraction: string;
  readonly churn: string;
}

interface InvoicedRow extends MonthlyRow {
  readonly invoices: string;
  readonly invoiced: string;
  readonly paid: string;
  readonly open: string;
}

interface CreditsRow extends MonthlyRow {
  readonly granted: string;
  readonly sold: string;
  readonly drawn: string;
  readonly voided: string;
  readonly expired: string;
  readonly balance: string;
}

const NO_REVENUE = { customers: '0', mrr: '0', new: '0', expansion: '0', contraction: '0', churn: '0' };
const NOTHING_INVOICED = { invoices: '0', invoiced: '0', paid: '0', open: '0' };
const NO_CHANGE = { granted: '0', sold: '0', drawn: '0', voided: '0', expired: '0' };

/** Reports with a row per month and currency. */
@Injectable()
export class MonthlyReports {
  constructor(private readonly reader: AnalyticsReader) {}

  recurringRevenue(org: Uuid, selection: MonthsSelection): Promise<RowsAsOf<readonly RecurringRevenueRow[]>> {
    return this.read<RecurringRevenueRow>(org, 'mrr', Object.keys(NO_REVENUE), selection, (at) => ({
      ...at,
      ...NO_REVENUE,
    }));
  }

  invoiced(org: Uuid, selection: MonthsSelection): Promise<RowsAsOf<readonly InvoicedRow[]>> {
    return this.read<InvoicedRow>(
      org,
      'invoices_by_month',
      Object.keys(NOTHING_INVOICED),
      selection,
      (at) => ({
        ...at,
        ...NOTHING_INVOICED,
      }),
    );
  }

  credits(org: Uuid, selection: MonthsSelection): Promise<RowsAsOf<readonly CreditsRow[]>> {
    const columns = [...Object.keys(NO_CHANGE), 'balance'];
    return this.read<CreditsRow>(org, 'credit_liability', columns, selection, (at, before) => ({
      ...at,
      ...NO_CHANGE,
      balance: before?.balance ?? '0',
    }));
  }

  /** Reads earlier months too: the last of them gives the opening values of the first month. */
  private async read<Row extends MonthlyRow>(
    org: Uuid,
    view: string,
    columns: readonly string[],
    { first, last, currency }: MonthsSelection,
    absent: (at: MonthlyRow, before: Row | undefined) => Row,
  ): Promise<RowsAsOf<readonly Row[]>> {
    const current = await this.reader.read<Row>(
      org,
      view,
      `select month, currency, ${columns.map((column) => `"${column}"`).join(', ')}
       from analytics.${view}
       where org = $1 and month <= $2::date and ($3::text is null or currency = $3) order by currency, month`,
      [last, currency],
    );
    const present = monthOf(current.asOf);
    return { ...current, rows: everyMonth(current.rows, first, last < present ? last : present, absent) };
  }
}
