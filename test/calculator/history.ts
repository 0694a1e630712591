/** Values by name; numbers are decimal text. */
export type Properties = Readonly<Record<string, string>>;

/**
 * Settings, prices and steps of one customer, with the contract's field names. Amounts and numbers are decimal text,
 * instants ISO 8601.
 */
export interface History {
  readonly organization: {
    readonly tax_rate: string | null;
    readonly proration_basis: 'second' | 'day';
    readonly late_event_grace_minutes: number;
  };
  readonly customer: { readonly tax_rate: string | null; readonly timezone: string };
  readonly currency: { readonly code: string; readonly decimals: number };
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly plans: Readonly<Record<string, Plan>>;
  readonly addons: Readonly<Record<string, Addon>>;
  /** In chronological order. */
  readonly steps: readonly Step[];
}

export interface Metric {
  readonly metric_type: 'counter' | 'gauge' | 'rate';
  readonly aggregation_type: 'count' | 'sum' | 'max' | 'unique' | 'average';
  readonly property_name: string | null;
  readonly granularity: Granularity | null;
  readonly event_type: 'delta' | 'total' | null;
  readonly proration: Granularity | null;
  /** Only events that match all filters are counted. */
  readonly numeric_filters: readonly NumericFilter[];
  readonly categorical_filters: readonly CategoricalFilter[];
}

export interface NumericFilter {
  readonly property_name: string;
  readonly operator: 'gte' | 'gt' | 'eq' | 'lt' | 'lte';
  readonly comparison_value: string;
}

export interface CategoricalFilter {
  readonly property_name: string;
  readonly operator: 'isin' | 'isnotin';
  readonly comparison_value: readonly string[];
}

export interface SubscriptionFilter {
  readonly property_name: string;
  readonly value: string;
}

type Stretch = 'seconds' | 'minutes' | 'hours' | 'days' | 'months' | 'quarters' | 'years';
export type Granularity = Stretch | 'total';
type Unit = 'day' | 'week' | 'month' | 'year';

export interface Intervals {
  readonly reset_interval_unit: Unit | null;
  readonly reset_interval_count: number | null;
  readonly invoicing_interval_unit: Unit | null;
  readonly invoicing_interval_count: number | null;
}

export interface Charge extends Intervals {
  readonly name: string;
  readonly amount: string;
  readonly charge_timing: 'in_advance' | 'in_arrears';
  readonly charge_behavior: 'prorate' | 'full';
}

export interface Component extends Intervals {
  /** Name of the metric, and of its events. */
  readonly metric: string;
  readonly tiers: readonly Tier[];
  readonly bulk_pricing_enabled: boolean;
  readonly prepaid_charge: { readonly units: string; readonly charge_behavior: 'prorate' | 'full' } | null;
}

export interface Tier {
  readonly type: 'free' | 'flat' | 'per_unit';
  readonly range_start: string;
  readonly range_end: string | null;
  readonly cost_per_batch: string | null;
  readonly metric_units_per_batch: string | null;
  readonly batch_rounding_type: 'round_up' | 'round_down' | 'round_nearest' | 'no_rounding' | null;
}

export interface Prices {
  readonly recurring_charges: readonly Charge[];
  readonly components: readonly Component[];
}

export interface Plan extends Prices {
  readonly plan_duration: 'monthly' | 'quarterly' | 'yearly' | null;
  readonly day_anchor: number | null;
  readonly month_anchor: number | null;
  readonly price_adjustment: {
    readonly price_adjustment_type: 'percentage' | 'fixed' | 'price_override';
    readonly price_adjustment_amount: string;
  } | null;
}

export interface Addon extends Prices {
  readonly billing_frequency: 'one_time' | 'recurring';
  readonly invoice_when: 'invoice_on_attach' | 'invoice_on_subscription_end';
}

export interface CancelBody {
  readonly flat_fee_behavior: 'refund' | 'charge_prorated' | 'charge_full' | null;
  readonly usage_behavior: 'bill_full' | 'bill_none';
  readonly invoicing_behavior: 'invoice_now' | 'add_to_next_invoice';
}

/** A step of a history. `subscription` is its name within the history, which it keeps after renewals and switches. */
export type Step = { readonly at: string } & (
  | {
      readonly do: 'subscribe';
      readonly subscription: string;
      readonly plan: string;
      readonly start_date: string;
      readonly end_date: string | null;
      readonly auto_renew: boolean;
      /** Default: none. */
      readonly subscription_filters?: readonly SubscriptionFilter[];
    }
  | ({ readonly do: 'cancel'; readonly subscription: string } & CancelBody)
  | {
      readonly do: 'update';
      readonly subscription: string;
      readonly turn_off_auto_renew: boolean;
      readonly end_date: string | null;
    }
  | {
      readonly do: 'switch';
      readonly subscription: string;
      readonly plan: string;
      readonly usage_behavior: 'transfer_to_new_subscription' | 'keep_separate';
      readonly invoicing_behavior: 'invoice_now' | 'add_to_next_invoice';
    }
  | {
      readonly do: 'change_units';
      readonly subscription: string;
      readonly metric: string;
      readonly units: string;
      readonly invoice_now: boolean;
    }
  | {
      readonly do: 'attach';
      readonly subscription: string;
      readonly addon: string;
      readonly quantity: number;
    }
  | ({ readonly do: 'cancel_addon'; readonly subscription: string; readonly addon: string } & CancelBody)
  /** Sends a usage event with this timestamp. */
  | {
      readonly do: 'track';
      readonly metric: string;
      readonly time: string;
      readonly value: string | null;
      /** Properties besides the value. */
      readonly properties?: Properties;
    }
  /** Pays all open invoices. */
  | { readonly do: 'pay' }
  | {
      readonly do: 'credit';
      readonly amount: string;
      readonly expires_at: string | null;
      /** Price of the credit. Default: free. */
      readonly amount_paid?: string;
      /** Name for use by other steps. */
      readonly name?: string;
    }
  /** Lets terms on `plan` renew to the plan `by`. */
  | { readonly do: 'replace'; readonly plan: string; readonly by: string }
  | { readonly do: 'tax'; readonly tax_rate: string | null }
  | { readonly do: 'basis'; readonly proration_basis: 'second' | 'day' }
  | { readonly do: 'zone'; readonly timezone: string }
  /** Voids the n-th issued invoice; changes nothing when it is not unpaid. */
  | { readonly do: 'void'; readonly invoice: number; readonly rebill: boolean }
  | { readonly do: 'advance' }
);

export interface Line {
  readonly name: string;
  /** Null on lines that settle with credits. */
  readonly plan: string | null;
  readonly quantity: string | null;
  readonly billing_type: string;
  /** In minor units, like the amounts below. */
  readonly base: bigint;
  readonly plan_adjustment: bigint;
  readonly sales_tax: bigint;
  readonly credit: bigint;
  readonly amount: bigint;
  /** Covered period as ISO 8601 instants, end exclusive. */
  readonly from: string;
  readonly until: string;
}

export interface Invoice {
  readonly at: string;
  readonly lines: readonly Line[];
  readonly amount: bigint;
}
