import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory, CustomerReader } from '../../customer/customer-directory.js';
import { invalidFields, unknownId } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { TermReader } from '../../subscription/term-reader.js';
import { LiveUsageReader } from '../../metering/live-usage-reader.js';
import type { LiveCount } from '../../metering/usage-reader.js';
import { valueQuestions, type UsageByValue } from '../../metering/domain/usage-by-value.js';
import type { UsageQuestion } from '../../metering/domain/counter.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { pageOf, type Slice } from '../../platform/database/cursor.js';
import { GaugeBases } from './gauge-bases.js';
import { BilledWindows, type BilledWindow } from './billed-windows.js';
import { componentQuestionOf, usagePartsOf, type UsagePart, type UsagePeriod } from './usage-parts.js';
import { UsageReferences } from './usage-references.js';
import { UsageTerms } from './usage-terms.js';

export interface UsageSelection {
  /** Undefined for the customer of the subscription. */
  readonly customerId: string | undefined;
  readonly subscriptionId: Uuid | undefined;
  readonly metricId: Uuid | undefined;
  readonly range: Period;
  readonly by: UsagePeriod;
  /** Property whose values divide each period. */
  readonly property: string | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** State of the window that a period begins in. */
type WindowState = 'running' | 'ended' | 'closed' | 'not_charged';

/** Usage of one component of a subscription in one period. */
export interface UsageView extends UsagePart {
  readonly count: LiveCount;
  readonly state: WindowState;
  /** The window as billing counted it last. */
  readonly billed: BilledWindow | undefined;
  readonly values: UsageByValue<LiveCount> | undefined;
}

/** Page of usage of one customer. */
export interface UsagePage extends Slice<UsageView> {
  readonly customerId: string;
}

export class GetUsage extends Query<UsagePage> {
  constructor(
    readonly org: Uuid,
    readonly selection: UsageSelection,
    /** Aborts when the caller leaves. */
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

/** Limits the periods of a page that is divided by values: each period takes a count per value. */
const MAX_DIVIDED = 20;

/** Shows usage received so far, by the windows and counts of billing (docs/contract.md#usage). */
@QueryHandler(GetUsage)
export class GetUsageHandler implements IQueryHandler<GetUsage> {
  constructor(
    private readonly terms: UsageTerms,
    private readonly customers: CustomerReader,
    private readonly directory: CustomerDirectory,
    private readonly subscriptions: TermReader,
    private readonly references: UsageReferences,
    private readonly usage: LiveUsageReader,
    private readonly bases: GaugeBases,
    private readonly billed: BilledWindows,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `does_not_exist` for an unknown customer, subscription or metric, `throttled`, `unavailable` */
  async execute({ org, selection, signal }: GetUsage): Promise<UsagePage> {
    const { limit, cursor, property } = selection;
    const customerId = selection.customerId ?? (await this.customerOf(org, selection));
    const customerKey = customerKeyOf(org, customerId);
    const [now, customer, terms] = await Promise.all([
      this.clock.now(org),
      this.customers.load(org, customerKey),
      this.terms.load(org, [customerKey], selection.range),
      this.references.requireKnown(org, selection),
    ]);
    if (!customer) {
      throw invalidFields({ code: 'does_not_exist', detail: unknownId('customer'), attr: 'customer_id' });
    }
    const parts = usagePartsOf(terms, selection.range, selection.by).filter(isSelectedBy(selection));
    const most = property === undefined ? limit : Math.min(limit, MAX_DIVIDED);
    const { rows, nextCursor } = pageOf(parts, { limit: most, cursor }, ({ period, id }) => ({
      at: period.start,
      id,
    }));
    const asked = rows.map((part) => componentQuestionOf(customerKey, part));
    const [counts, billed] = await Promise.all([
      this.bases.continued(org, asked).then((questions) => this.usage.countLive(org, questions, signal)),
      this.billed.find(
        org,
        rows.map(({ window, need }) => ({
          chargeKey: window.chargeKey,
          term: need.subscriptionId,
          start: window.segment.start,
        })),
      ),
    ]);
    // Closed counts are of all values together.
    const undivided = asked.map(({ question }) => question);
    const divided = property === undefined ? [] : await this.divide(org, undivided, property, signal);
    const views = rows.map((part, index) => {
      const found = billed.get(part.window.chargeKey);
      return {
        ...part,
        count: counts[index]!,
        state: stateOf(part, found, now),
        billed: found,
        values: divided[index],
      };
    });
    return { rows: views, nextCursor, customerId };
  }

  /** Returns the customer of the subscription. @throws DomainError `does_not_exist`; `required` for an erased customer */
  private async customerOf(org: Uuid, selection: UsageSelection): Promise<string> {
    await this.references.requireKnown(org, selection);
    const read = await this.subscriptions.load(org, selection.subscriptionId!);
    const { customerKey } = read!.state.term;
    const summaries = await this.directory.summaries(org, [customerKey]);
    const customerId = summaries.get(customerKey)?.customer_id;
    if (typeof customerId === 'string') return customerId;
    const detail = 'The customer of this subscription was erased, with its id. Give the customer_id.';
    throw invalidFields({ code: 'required', detail, attr: 'customer_id' });
  }

  /** Counts each question again by the values of a property. */
  private async divide(
    org: Uuid,
    questions: readonly UsageQuestion[],
    property: string,
    signal: AbortSignal,
  ): Promise<UsageByValue<LiveCount>[]> {
    const values = await this.usage.propertyValues(org, questions, property, signal);
    const asked = questions.map((question, index) => valueQuestions(question, property, values[index]!));
    const counts = await this.usage.countLive(
      org,
      asked.flatMap(({ each, rest }) => [...each.map(({ question }) => question), rest]),
      signal,
    );
    let next = 0;
    return asked.map(({ each }) => ({
      each: each.map(({ value }) => ({ value, count: counts[next++]! })),
      rest: counts[next++]!,
    }));
  }
}

function stateOf({ window }: UsagePart, billed: BilledWindow | undefined, now: Instant): WindowState {
  if (!window.isCharged) return 'not_charged';
  if (billed && billed.windowEnd >= window.segment.end) return 'closed';
  return window.segment.end > now ? 'running' : 'ended';
}

const isSelectedBy =
  ({ metricId, subscriptionId }: UsageSelection) =>
  ({ need, runTerm }: UsagePart): boolean =>
    (metricId === undefined || need.metricId === metricId) &&
    (subscriptionId === undefined || runTerm.term.subscriptionId === subscriptionId);
