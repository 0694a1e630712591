import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { entityOf, orgOfStream } from '../../kernel/event.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore, streamsOf } from '../../platform/eventsourcing/store/event-store.js';
import type { NumberSeriesEvent } from '../accounts/domain/events.js';
import { faultsOfChain } from '../numbering/domain/number-series.js';
import { describeUnreadable } from '../../platform/eventsourcing/store/store-down.js';
import { AccountVerifier, type LoggedInvoice } from './account-verifier.js';
import {
  dayKey,
  isSameTally,
  NO_NUMBERS,
  SUM_IN_SQL,
  withNumber,
  type IssuedNumbers,
  type NumberTally,
} from './number-tallies.js';

/**
 * Compares the invoice numbers of all organizations and days: as assigned, as issued, and as the read model shows
 * them.
 */
export class VerifyNumbers extends Query<NumbersVerified> {
  constructor(
    /** Invoices issued according to the accounts of the log. */
    readonly issued: IssuedNumbers,
  ) {
    super();
  }
}

export interface NumbersVerified {
  /** Pairs of organization and issue day. */
  readonly days: number;
  /** Sentences on differences; empty if every chain is whole. */
  readonly differences: readonly string[];
}

type Assignment = NumberSeriesEvent['data']['assignments'][number];

interface ShownDay extends Record<'org' | 'day' | 'count' | 'sum', string> {
  readonly org: Uuid;
}

interface ShownNumber extends Record<'invoice_id' | 'invoice_number', string> {
  readonly org: Uuid;
}

/** A day with a difference, whose invoices are compared one by one. */
interface Suspect {
  readonly assigned: readonly Assignment[];
  readonly logged: Map<string, LoggedInvoice>;
  readonly shown: Map<string, string>;
}

@QueryHandler(VerifyNumbers)
export class VerifyNumbersHandler implements IQueryHandler<VerifyNumbers> {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly accounts: AccountVerifier,
  ) {}

  async execute({ issued }: VerifyNumbers): Promise<NumbersVerified> {
    const differences: string[] = [];
    const shown = await this.shownDays();
    const suspects = new Map<string, Suspect>();
    const suspect = (key: string, assigned: readonly Assignment[]) =>
      suspects.set(key, { assigned, logged: new Map(), shown: new Map() });
    const seen = new Set<string>();
    for await (const stream of streamsOf(this.store, 'numberseries')) {
      const day = entityOf(stream);
      const assigned = await this.assignments(stream).catch((error: unknown) => {
        differences.push(describeUnreadable(error));
        return [];
      });
      differences.push(...faultsOfChain(day, assigned));
      const key = dayKey(orgOfStream(stream), day);
      seen.add(key);
      const tally = assigned.reduce(
        (sum, { invoiceId, number, resultHash }) => withNumber(sum, invoiceId, number, resultHash),
        NO_NUMBERS,
      );
      const isAsIssued = isSameTally(tally, issued.withResults(key));
      if (!isAsIssued || !isSameTally(issued.plain(key), shown.get(key) ?? NO_NUMBERS))
        suspect(key, assigned);
    }
    for (const key of [...issued.days(), ...shown.keys()]) if (!seen.has(key)) suspect(key, []);
    if (suspects.size > 0) differences.push(...(await this.differencesOf(suspects)));
    return { days: new Set([...seen, ...suspects.keys()]).size, differences };
  }

  private async assignments(stream: string): Promise<Assignment[]> {
    const assigned: Assignment[] = [];
    for await (const event of this.store.readStream(stream)) {
      assigned.push(...(event.data as NumberSeriesEvent['data']).assignments);
    }
    return assigned;
  }

  private async shownDays(): Promise<Map<string, NumberTally>> {
    const { rows } = await this.database.pool.query<ShownDay>(
      `select org, split_part(invoice_number, '-', 1) as day, count(*) as count, ${SUM_IN_SQL} as sum
       from invoices where invoice_number is not null group by org, day`,
    );
    return new Map(
      rows.map(({ org, day, count, sum }) => [dayKey(org, day), { count: Number(count), sum: BigInt(sum) }]),
    );
  }

  /** Reads all accounts again and keeps the invoices that were issued on those days. */
  private async differencesOf(suspects: ReadonlyMap<string, Suspect>): Promise<string[]> {
    const read = this.accounts.begin();
    for await (const stream of streamsOf(this.store, 'account')) {
      // The account of an event that cannot be read is named where accounts are verified.
      const { issued } = await read(stream).catch((error: unknown) => {
        describeUnreadable(error);
        return { issued: [] };
      });
      for (const invoice of issued) {
        suspects.get(dayKey(invoice.org, invoice.invoice_number))?.logged.set(invoice.invoice_id, invoice);
      }
    }
    const days = [...suspects.keys()].map((key) => key.split(' ')[1]);
    const { rows } = await this.database.pool.query<ShownNumber>(
      `select org, invoice_id, invoice_number from invoices
       where invoice_number is not null and split_part(invoice_number, '-', 1) = any($1::text[])`,
      [days],
    );
    for (const { org, invoice_id: id, invoice_number: number } of rows) {
      suspects.get(dayKey(org, number))?.shown.set(id, number);
    }
    return [...suspects.values()].flatMap(differencesOfDay);
  }
}

function differencesOfDay({ assigned, logged, shown }: Suspect): string[] {
  const differences: string[] = [];
  const assignmentById = new Map(assigned.map((assignment) => [assignment.invoiceId as string, assignment]));
  for (const { invoiceId, number } of assigned) {
    if (!logged.has(invoiceId))
      differences.push(`${number} was assigned to invoice ${invoiceId}, which was not issued`);
  }
  for (const [id, { invoice_number: number, resultHash }] of logged) {
    const assignment = assignmentById.get(id);
    if (assignment?.number !== number) {
      differences.push(
        `invoice ${id} was issued as ${number}, assigned was ${assignment?.number ?? 'no number'}`,
      );
    } else if (assignment.resultHash !== resultHash) {
      differences.push(
        `${number} was assigned to result hash ${assignment.resultHash}, the invoice has ${resultHash}`,
      );
    }
    if (!shown.has(id)) differences.push(`invoice ${id}, issued as ${number}, is not shown`);
  }
  for (const [id, number] of shown) {
    const inLog = logged.get(id)?.invoice_number;
    if (number !== inLog) {
      differences.push(`invoice ${id} is shown as ${number}, in the log ${inLog ?? 'without number'}`);
    }
  }
  return differences;
}
