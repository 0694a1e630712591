import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import type { NumberSeriesEvent } from '../domain/events.js';
import { faultsOfChain } from '../domain/number-chain.js';
import { numberSeries } from '../domain/number-series.js';

/** The invoice numbers of all organizations and days, held against the log. */
export class VerifyNumbers extends Query<NumbersVerified> {
  readonly kind = 'verify-numbers';
}

export interface NumbersVerified {
  /** Pairs of organization and issue day. */
  readonly days: number;
  /** Sentences; none when every chain stands. */
  readonly differences: readonly string[];
}

interface ShownDay {
  readonly org: Uuid;
  readonly day: string;
  readonly ids: readonly Uuid[];
  readonly numbers: readonly string[];
}

@QueryHandler(VerifyNumbers)
export class VerifyNumbersHandler implements IQueryHandler<VerifyNumbers> {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async execute(): Promise<NumbersVerified> {
    const { rows } = await this.database.pool.query<ShownDay>(
      `select org, split_part(invoice_number, '-', 1) as day, array_agg(invoice_id::text order by invoice_number) as ids,
        array_agg(invoice_number order by invoice_number) as numbers
       from invoices where invoice_number is not null group by org, day order by org, day`,
    );
    const differences: string[] = [];
    for (const day of rows) differences.push(...(await this.differencesOf(day)));
    return { days: rows.length, differences };
  }

  private async differencesOf({ org, day, ids, numbers }: ShownDay): Promise<string[]> {
    const stream = streamName(numberSeries.category, org, day);
    const assigned: NumberSeriesEvent['data']['assignments'][number][] = [];
    for await (const event of this.store.readStream(stream)) {
      assigned.push(...(event.data as NumberSeriesEvent['data']).assignments);
    }
    const bound = new Map(assigned.map(({ invoiceId, number }) => [invoiceId, number]));
    const shown = ids.flatMap((id, place) => {
      const [number, inLog] = [numbers[place]!, bound.get(id)];
      return number === inLog
        ? []
        : [`invoice ${id} is shown as ${number}, in the log ${inLog ?? 'without number'}`];
    });
    return [...faultsOfChain(day, assigned), ...shown];
  }
}
