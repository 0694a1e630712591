import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import type { CountCaller } from '../../metering/requested-counts.js';
import {
  StoredEvents,
  type EventSeries,
  type ListedEvent,
  type SeriesPart,
} from '../../metering/stored-events.js';
import { MAX_LISTED } from '../../metering/stored-events-sql.js';
import { EventContexts } from './event-contexts.js';
import {
  readEventCursor,
  readTimeCursor,
  writeEventCursor,
  writeTimeCursor,
  type EventCursor,
  type EventOrdering,
} from './event-cursor.js';
import { eventStateOf, type EventState, type ClassifiedEvent } from './event-states.js';
import { UsageReferences } from './usage-references.js';

export interface EventSelection {
  readonly customerId: string | undefined;
  readonly subscriptionId: Uuid | undefined;
  readonly metricId: Uuid | undefined;
  readonly eventName: string | undefined;
  readonly idempotencyId: string | undefined;
  /** Empty: all. */
  readonly states: readonly EventState[];
  readonly range: Period;
  /** Undefined: the order of the usage log's index. */
  readonly ordering: EventOrdering | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface EventPage {
  readonly rows: readonly ClassifiedEvent[];
  readonly nextCursor: string | undefined;
}

export class ListEvents extends Query<EventPage> {
  constructor(
    readonly org: Uuid,
    readonly selection: EventSelection,
    /** Aborts when the client disconnects. */
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

/** Limits of one request. A page ends at the first limit, even with fewer events than asked for. */
const MAX_EXAMINED = 5_000;
const MAX_SERIES = 400;
const SERIES_AT_ONCE = 20;
/** Windows on a page, of some 300 bytes each; properties have at most 16 MB together. */
const MAX_WINDOWS = 50_000;

/** Events of a page, which is full with the one that reaches a limit. */
class EventRows {
  readonly rows: ClassifiedEvent[] = [];
  #windows = 0;

  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.rows.length === this.limit || this.#windows >= MAX_WINDOWS;
  }

  get last(): ListedEvent {
    return this.rows.at(-1)!.event;
  }

  add(row: ClassifiedEvent): void {
    this.rows.push(row);
    this.#windows += row.windows.length;
  }

  upTo(nextCursor: string | undefined): EventPage {
    return { rows: this.rows, nextCursor };
  }
}

/**
 * Lists stored events with their states (docs/contract.md#stored-events), in the order of the usage log's index
 * (customer key, event name, time, id) or by time. A request examines a bounded number of events, however many the
 * filters exclude.
 */
@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(
    private readonly events: StoredEvents,
    private readonly contexts: EventContexts,
    private readonly references: UsageReferences,
  ) {}

  /** @throws DomainError `does_not_exist` for an unknown subscription or metric, `throttled`, `unavailable` */
  async execute({ org, selection, signal }: ListEvents): Promise<EventPage> {
    const caller = { org, signal };
    const { idempotencyId, customerId, eventName: name } = selection;
    await this.references.requireKnown(org, selection);
    if (idempotencyId !== undefined) {
      const found = await this.events.find(caller, idempotencyId);
      const key = customerId === undefined ? undefined : customerKeyOf(org, customerId);
      const asked = found.filter(
        ({ customerKey, eventName, time }) =>
          (key === undefined || customerKey === key) &&
          (name === undefined || eventName === name) &&
          time >= selection.range.start &&
          time < selection.range.end,
      );
      return { rows: await this.classify(org, asked, selection), nextCursor: undefined };
    }
    const { ordering } = selection;
    return ordering === undefined
      ? this.walk(caller, selection)
      : this.walkByTime(caller, selection, ordering);
  }

  private async walk(caller: CountCaller, selection: EventSelection): Promise<EventPage> {
    const { org } = caller;
    const { limit, customerId } = selection;
    const customerKey = customerId === undefined ? undefined : customerKeyOf(org, customerId);
    const eventNames = await this.contexts.namesOf(org, selection);
    const page = new EventRows(limit);
    let from: EventCursor | undefined =
      selection.cursor === undefined ? undefined : readEventCursor(selection.cursor);
    let [examined, visited] = [0, 0];
    for (;;) {
      // The first series of each step was begun by the step before.
      const found = await this.events.series(caller, { customerKey, eventNames }, from, SERIES_AT_ONCE);
      const parts = found.map((one) => partOf(one, from));
      const most = limit - page.rows.length + 1;
      const read = await this.events.list(
        caller,
        parts.filter((_, index) => found[index]!.isWanted),
        selection.range,
        most,
      );
      const listed = inOrder(parts, read, most);
      for (const classified of await this.classify(org, listed.events, selection)) {
        if (page.isFull) return page.upTo(writeEventCursor(cursorOf(page.last)));
        page.add(classified);
      }
      const isCut = listed.finished < found.length;
      const isEnd = found.length < SERIES_AT_ONCE && !found.some(({ isLast }) => isLast);
      if (!isCut && isEnd) return page.upTo(undefined);
      const last = listed.events.at(-1);
      from = isCut && last ? cursorOf(last) : endOf(found.at(-1)!);
      examined += listed.events.length;
      visited += found.reduce((sum, { isLast }) => sum + (isLast ? MAX_SERIES : 1), 0);
      if (examined >= MAX_EXAMINED || visited >= MAX_SERIES) {
        return page.upTo(writeEventCursor(from));
      }
    }
  }

  private async walkByTime(
    caller: CountCaller,
    selection: EventSelection,
    ordering: EventOrdering,
  ): Promise<EventPage> {
    const { customerId, limit, range, cursor } = selection;
    const customerKey = customerId === undefined ? undefined : customerKeyOf(caller.org, customerId);
    const asked = await this.contexts.namesOf(caller.org, selection);
    const eventNames = asked ?? (await this.events.names(caller, customerKey));
    const isNewestFirst = ordering === '-time_created';
    const page = new EventRows(limit);
    let after = cursor === undefined ? undefined : readTimeCursor(ordering, cursor);
    for (let examined = 0; ;) {
      const part = {
        customerKey,
        eventNames,
        range,
        isNewestFirst,
        after,
        limit: limit - page.rows.length + 1,
      };
      const { events, isEnd } = await this.events.byTime(caller, part);
      for (const classified of await this.classify(caller.org, events, selection)) {
        if (page.isFull) return page.upTo(writeTimeCursor(ordering, page.last));
        page.add(classified);
      }
      const last = events.at(-1);
      if (isEnd || !last) return page.upTo(undefined);
      after = last;
      examined += events.length;
      if (examined >= MAX_EXAMINED) return page.upTo(writeTimeCursor(ordering, last));
    }
  }

  private async classify(
    org: Uuid,
    events: readonly ListedEvent[],
    { states, subscriptionId, metricId }: EventSelection,
  ): Promise<ClassifiedEvent[]> {
    const contextOf = await this.contexts.load(org, events);
    return events
      .map((event) => eventStateOf(event, contextOf(event)))
      .filter(
        ({ state, windows }) =>
          (states.length === 0 || states.includes(state)) &&
          (subscriptionId === undefined ||
            windows.some(({ part }) => part.need.subscriptionId === subscriptionId)) &&
          (metricId === undefined || windows.some(({ part }) => part.need.metricId === metricId)),
      );
  }
}

const isSeries = (a: EventSeries, b: EventSeries): boolean =>
  a.customerKey === b.customerKey && a.eventName === b.eventName;

const partOf = (series: EventSeries, from: EventCursor | undefined): SeriesPart => ({
  ...series,
  after: from && isSeries(series, from) ? from : undefined,
});

const cursorOf = ({ customerKey, eventName, time, idempotencyId }: ListedEvent): EventCursor => ({
  customerKey,
  eventName,
  time,
  idempotencyId,
});

/** Cursor after every event of a series. */
const LAST = '9999-12-31T23:59:59.999999Z' as Instant;
const endOf = ({ customerKey, eventName }: EventSeries): EventCursor => ({
  customerKey,
  eventName,
  time: LAST,
  idempotencyId: '',
});

/**
 * Returns events in the order of the walk up to the first series that may have more than was read, and how many series are
 * finished before it. @param most the limit that each series was read with
 */
function inOrder(parts: readonly SeriesPart[], events: readonly ListedEvent[], most: number) {
  const listed: ListedEvent[] = [];
  for (const [index, part] of parts.entries()) {
    const own = events.filter((event) => isSeries(event, part));
    listed.push(...own);
    const isEnd = events.length === MAX_LISTED && listed.length === MAX_LISTED;
    if (own.length === most || isEnd) return { events: listed, finished: index };
  }
  return { events: listed, finished: parts.length };
}
