import {
  anything,
  freeForm,
  integer,
  listOf,
  named,
  nullable,
  number,
  object,
  text,
} from '../../platform/http/openapi/schema.js';
import { dateTime, wireId } from '../../platform/http/openapi/values.js';
import { ALLOCATION, CALCULATION } from './calculation-schema.js';
import { GAUGE_STEPS, RATE_WINDOW } from './quantity-schema.js';

const EVENT_FIELDS = {
  position: text({
    description: 'Its revision in the stream of the term, of the account or of the settings.',
  }),
  type: text(),
  effective_at: dateTime(),
  recorded_at: dateTime(),
  actor: text(),
};

/** Event of the log; `data` is as stored. */
const RECORDED_EVENT = named('RecordedEvent', object({ ...EVENT_FIELDS, data: anything() }));

/** Event with the name of its actor's key. */
const EVENT_BY = named(
  'RecordedEventRef',
  object({
    ...EVENT_FIELDS,
    actor_name: nullable(
      text({ description: 'Name of the API key behind the actor; null for a key that is not known.' }),
    ),
    request_id: text({ description: 'X-Request-Id of the request that caused it.' }),
  }),
);

const TERM_LINK = named('TermLink', object({ subscription_id: wireId('sub'), history: text() }));

export const TERM_HISTORY = named(
  'TermHistory',
  object({
    subscription_id: wireId('sub'),
    predecessor: nullable(TERM_LINK),
    successor: nullable(TERM_LINK),
    events: listOf(RECORDED_EVENT),
  }),
);

/** Usage count with its evidence: counting again gives the same watermark and digest. */
const USAGE_COUNT = named(
  'UsageCount',
  object({
    close_id: text(),
    metric_id: wireId('metric'),
    window: object({ start: dateTime(), end: dateTime() }),
    quantity: text(),
    event_count: integer({ minimum: 0 }),
    absent_values: integer({ minimum: 0 }),
    sealed_up_to: text(),
    digest: text(),
    /** For a delta gauge: the level at the window's end, and the earlier count that this one continues. */
    level: nullable(text()),
    after_close_id: nullable(text()),
    average: nullable(object({ sum: text(), values: integer({ minimum: 0 }) })),
    rate: nullable(RATE_WINDOW),
    gauge: nullable(GAUGE_STEPS),
  }),
);

/**
 * Line of an earlier invoice that a line reverses; null when it only reduces the cost due of that invoice.
 */
const REVERSED_LINE = named(
  'ReversedLine',
  object({
    invoice_id: wireId('invoice'),
    invoice_number: nullable(text()),
    line: nullable(integer({ minimum: 1 })),
    amount: number(),
  }),
);

/** Setting that the line was computed with, and the event that set it. */
const SETTING_READ = named(
  'SettingRead',
  object({
    source: text({
      description: 'organization, customer, subscription, plan_version or addon_version: where it was set.',
    }),
    setting: text(),
    value: anything(),
    event: EVENT_BY,
  }),
);

const EXPLAINED_LINE = named(
  'ExplainedLine',
  object({
    line: integer({ minimum: 1 }),
    name: text(),
    subscription_id: nullable(wireId('sub')),
    rule: text(),
    fraction: text({
      description:
        'The exact part of the full interval that is charged, n/d; 1/1 where nothing is prorated, such as for usage.',
    }),
    inputs: object({
      billing_type: text(),
      start: dateTime(),
      end: dateTime(),
      quantity: nullable(number()),
      /** Price as the plan version defines it. */
      price: anything(),
      /** For prepaid units: the units, their start, and their share of the window. */
      prepaid_units: nullable(listOf(object({ units: number(), from: dateTime(), fraction: anything() }))),
      plan_version_id: nullable(wireId('plan_version')),
      tax_rate: anything(),
    }),
    base: number(),
    adjustments: listOf(
      object({
        adjustment_type: text(),
        account: text(),
        amount: number(),
        rule: text({
          description:
            'percentage, fixed or price_override of the plan version; tax_rate; or the rule of a credit line.',
        }),
        figure: nullable(text({ description: 'The percent or amount of the rule, as decimal text.' })),
        allocation: nullable(ALLOCATION),
      }),
    ),
    subtotal: number(),
    amount: number(),
    usage: nullable(USAGE_COUNT),
    previous_usage: nullable(USAGE_COUNT),
    reverses: listOf(REVERSED_LINE),
    credits: listOf(object({ credit_id: wireId('credit'), amount: number() })),
    settings: listOf(SETTING_READ),
    calculation: nullable(CALCULATION),
    follows_from: listOf(EVENT_BY),
  }),
);

export const INVOICE_EXPLANATION = named(
  'InvoiceExplanation',
  object({
    invoice_id: wireId('invoice'),
    invoice_number: text(),
    as_of: dateTime(),
    /** Rounding, proration and tax settings of the organization at that time. */
    policy: anything(),
    fingerprint: text(),
    result_hash: text(),
    computed_by: EVENT_BY,
    /** Streams that were read, each with its revision. */
    inputs: anything(),
    totals: object({
      base: number({ description: 'Sum of the bases of the lines.' }),
      adjustments: number({ description: 'Sum of all adjustments of the lines, tax and credits included.' }),
      amount: number({ description: 'Sum of the amounts of the lines.' }),
      cost_due: number({ description: 'Amount that was to be paid when the invoice was issued.' }),
    }),
    lines: listOf(EXPLAINED_LINE),
  }),
);

/** Usage event that a line counts. */
export const COUNTED_EVENT = named(
  'CountedEvent',
  object({
    idempotency_id: text(),
    event_name: text(),
    time_created: dateTime(),
    properties: freeForm(),
  }),
);
