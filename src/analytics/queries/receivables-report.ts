import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { AnalyticsReader, type RowsAsOf } from './analytics-reader.js';

const AGES = ['not_due', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90', 'total'] as const;

/** Open amounts of a currency by age, decimal text in major units. */
export type ReceivablesRow = { readonly currency: string; readonly customers: string } & {
  readonly [Age in (typeof AGES)[number]]: string;
};

@Injectable()
export class ReceivablesReport {
  constructor(private readonly reader: AnalyticsReader) {}

  read(org: Uuid, currency: string | undefined): Promise<RowsAsOf<readonly ReceivablesRow[]>> {
    return this.reader.read<ReceivablesRow>(
      org,
      'receivables',
      `select currency, count(*) as customers, ${AGES.map((age) => `sum(${age}) as ${age}`).join(', ')}
       from analytics.receivables_ageing
       where org = $1 and ($2::text is null or currency = $2) group by currency order by currency`,
      [currency],
    );
  }
}
