import {
  anything,
  integer,
  listOf,
  named,
  nullable,
  number,
  object,
  text,
} from '../../platform/http/openapi/schema.js';
import { instant, wireId } from '../../platform/http/openapi/values.js';

const EVENT_FIELDS = {
  position: text({
    description: 'Its revision in the stream of the term, of the account or of the settings.',
  }),
  type: text(),
  effective_at: instant(),
  recorded_at: instant(),
  actor: text(),
};

/** An event of the log; `data` is what the log holds. */
const RECORDED_EVENT = named('RecordedEvent', object({ ...EVENT_FIELDS, data: anything() }));
const EVENT_REF = named('RecordedEventRef', object(EVENT_FIELDS));

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
    window: object({ start: instant(), end: instant() }),
    quantity: text(),
    event_count: integer({ minimum: 0 }),
    absent_values: integer({ minimum: 0 }),
    sealed_up_to: text(),
    digest: text(),
    /** For a gauge that deltas move: the level at the window's end, and the count that this one goes on from. */
    level: nullable(text()),
    after_close_id: nullable(text()),
  }),
);

/** Line of an earlier invoice that a line reverses; null when it only reduces the cost due of that invoice. */
const REVERSED_LINE = named(
  'ReversedLine',
  object({
    invoice_id: wireId('invoice'),
    invoice_number: nullable(text()),
    line: nullable(integer({ minimum: 1 })),
    amount: number(),
  }),
);

/** Setting as the run read it, with the event that set it. */
const SETTING_READ = named(
  'SettingRead',
  object({ source: text(), setting: text(), value: anything(), event: EVENT_REF }),
);

const EXPLAINED_LINE = named(
  'ExplainedLine',
  object({
    line: integer({ minimum: 1 }),
    name: text(),
    subscription_id: nullable(wireId('sub')),
    rule: text(),
    fraction: text({
      description: 'The exact part of the full interval that is charged, n/d; 1/1 where nothing is prorated.',
    }),
    inputs: object({
      billing_type: text(),
      start: instant(),
      end: instant(),
      quantity: nullable(number()),
      /** Price as the plan version defines it. */
      price: anything(),
      /** For prepaid units: the units held, since when, and the share of the window. */
      prepaid_units: nullable(listOf(object({ units: number(), from: instant(), fraction: anything() }))),
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
      }),
    ),
    subtotal: number(),
    amount: number(),
    usage: nullable(USAGE_COUNT),
    previous_usage: nullable(USAGE_COUNT),
    reverses: listOf(REVERSED_LINE),
    credits: listOf(object({ credit_id: wireId('credit'), amount: number() })),
    settings: listOf(SETTING_READ),
    follows_from: listOf(EVENT_REF),
  }),
);

export const INVOICE_EXPLANATION = named(
  'InvoiceExplanation',
  object({
    invoice_id: wireId('invoice'),
    invoice_number: text(),
    as_of: instant(),
    /** Rounding, proration and tax settings of the organization at that time. */
    policy: anything(),
    fingerprint: text(),
    result_hash: text(),
    computed_by: EVENT_REF,
    /** The streams that were read, each with its revision. */
    inputs: anything(),
    lines: listOf(EXPLAINED_LINE),
  }),
);
