import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { plusMicros } from '../../kernel/instant.js';
import { groupBy } from '../../kernel/iteration.js';
import type { ListedEvent } from '../../metering/stored-events.js';
import { Database } from '../../platform/database/open-database.js';
import { BilledWindows } from './billed-windows.js';
import type { EventContext } from './event-states.js';
import { usagePartsOf } from './usage-parts.js';
import { UsageTerms } from './usage-terms.js';

interface Named {
  readonly eventName: string | undefined;
  readonly metricId: Uuid | undefined;
}

/** Loads the data that stored events are classified by: customers, metrics, and the windows of subscriptions with their counts. */
@Injectable()
export class EventContexts {
  constructor(
    private readonly database: Database,
    private readonly terms: UsageTerms,
    private readonly billed: BilledWindows,
  ) {}

  /** Returns the event names that a selection allows; undefined: all. */
  async namesOf(org: Uuid, { eventName, metricId }: Named): Promise<readonly string[] | undefined> {
    if (metricId === undefined) return eventName === undefined ? undefined : [eventName];
    const { rows } = await this.database.pool.query<{ event_name: string }>({
      name: 'event-name-of-metric',
      text: 'select event_name from metrics where org = $1 and metric_id = $2',
      values: [org, metricId],
    });
    const names = rows.map((row) => row.event_name);
    return eventName === undefined ? names : names.filter((name) => name === eventName);
  }

  /** Loads the contexts of some events with a fixed number of statements, and the streams of subscriptions that are not remembered. */
  async load(org: Uuid, events: readonly ListedEvent[]): Promise<(event: ListedEvent) => EventContext> {
    if (events.length === 0) return () => NOTHING;
    const times = events.map(({ time }) => time).sort();
    const range = { start: times[0]!, end: plusMicros(times.at(-1)!, 1n) };
    const keys = [...new Set(events.map(({ customerKey }) => customerKey))];
    const names = [...new Set(events.map(({ eventName }) => eventName))];
    const [customers, known, terms] = await Promise.all([
      this.#texts('event-customers', CUSTOMERS, [org, keys]),
      this.#texts('event-metrics', METRICS, [org, names]),
      this.terms.load(org, keys, range),
    ]);
    const parts = [...groupBy(terms, ({ term }) => term.customerKey).values()]
      .flatMap((own) => usagePartsOf(own, range, 'window'))
      .filter(({ need }) => names.includes(need.definition.eventName));
    const billed = await this.billed.find(
      org,
      parts.map(({ window, need }) => ({
        chargeKey: window.chargeKey,
        term: need.subscriptionId,
        start: window.segment.start,
      })),
    );
    const byCustomer = groupBy(parts, ({ runTerm }) => runTerm.term.customerKey);
    return ({ customerKey, eventName }) => ({
      isCustomerKnown: customers.has(customerKey),
      isNameKnown: known.has(eventName),
      parts: byCustomer.get(customerKey) ?? [],
      billed,
    });
  }

  async #texts(name: string, text: string, values: unknown[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.database.pool.query<{ found: string }>({ name, text, values });
    return new Set(rows.map(({ found }) => found));
  }
}

const NOTHING: EventContext = { isCustomerKnown: false, isNameKnown: false, parts: [], billed: new Map() };

const CUSTOMERS = `select customer_key::text as found from customers where org = $1 and customer_key = any($2::uuid[])`;

const METRICS = `select distinct event_name as found from metrics where org = $1 and event_name = any($2::text[])`;
