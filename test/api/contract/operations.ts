/** The ten operations of Lotus, written by hand (docs/contract.md#operations). */
export interface OperationRule {
  readonly operation: string;
  /** Resource name: `Name`, or `[Name]` for a list. */
  readonly answer: string;
  readonly query?: Readonly<Record<string, ParamRule>>;
  readonly body?: Readonly<Record<string, ParamRule>>;
}

export interface ParamRule {
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minLength?: number;
  readonly nullable?: true;
  readonly required?: true;
}

const TEXT: ParamRule = { type: 'string' };
const TEXTS: ParamRule = { type: 'array' };
const FLAG: ParamRule = { type: 'boolean' };
const TIME: ParamRule = { type: 'string', format: 'date-time' };
const CUSTOMER: ParamRule = { type: 'string', minLength: 1 };
const INVOICING: ParamRule = { type: 'string', enum: ['add_to_next_invoice', 'invoice_now'] };
const USAGE: ParamRule = { type: 'string', enum: ['transfer_to_new_subscription', 'keep_separate'] };
const required = (rule: ParamRule): ParamRule => ({ ...rule, required: true });

export const OPERATIONS: readonly OperationRule[] = [
  {
    operation: 'get /api/plans/',
    answer: '[Plan]',
    query: {
      duration: { type: 'string', enum: ['monthly', 'quarterly', 'yearly'] },
      exclude_tags: TEXTS,
      include_tags: TEXTS,
      include_tags_all: TEXTS,
      version_currency_code: TEXT,
      version_custom_type: { type: 'string', enum: ['custom_only', 'public_only', 'all'] },
      version_status: { type: 'array', enum: ['active', 'ended', 'not_started'] },
    },
  },
  {
    operation: 'post /api/subscriptions/{subscription_id}/switch_plan/',
    answer: 'Subscription',
    body: {
      switch_plan_id: TEXT,
      invoicing_behavior: INVOICING,
      usage_behavior: USAGE,
      component_fixed_charges_initial_units: { type: 'array' },
    },
  },
  {
    operation: 'post /api/subscriptions/update/',
    answer: '[Subscription]',
    query: {
      customer_id: required(CUSTOMER),
      plan_id: required(TEXT),
      subscription_filters: TEXT,
    },
    body: {
      replace_plan_id: TEXT,
      invoicing_behavior: INVOICING,
      usage_behavior: USAGE,
      turn_off_auto_renew: FLAG,
      end_date: TIME,
    },
  },
  {
    operation: 'post /api/subscriptions/{subscription_id}/update/',
    answer: 'Subscription',
    body: { turn_off_auto_renew: FLAG, end_date: TIME, metadata: { type: 'object' } },
  },
  {
    operation: 'post /api/subscriptions/{subscription_id}/cancel/',
    answer: 'Subscription',
    body: {
      flat_fee_behavior: {
        type: 'string',
        enum: ['refund', 'charge_prorated', 'charge_full'],
        nullable: true,
      },
      usage_behavior: { type: 'string', enum: ['bill_full', 'bill_none'] },
      invoicing_behavior: INVOICING,
    },
  },
  {
    operation: 'post /api/subscriptions/{subscription_id}/components/{metric_id}/change_prepaid_units/',
    answer: 'Subscription',
    body: { units: required({ type: 'number' }), invoice_now: FLAG },
  },
  {
    operation: 'post /api/credits/{credit_id}/update/',
    answer: 'Credit',
    body: { description: TEXT, expires_at: { ...TIME, nullable: true } },
  },
  {
    operation: 'get /api/feature_access/',
    answer: 'FeatureAccess',
    query: {
      customer_id: required(CUSTOMER),
      feature_id: required(TEXT),
      subscription_filters: TEXT,
    },
  },
  {
    operation: 'get /api/invoices/',
    answer: '[Invoice]',
    query: { customer_id: CUSTOMER, status: { type: 'array', enum: ['unpaid', 'paid'] } },
  },
  {
    // The answer is the invoice, with the link under a second name.
    operation: 'get /api/invoices/{invoice_id}/pdf_url/',
    answer: 'LinkedInvoice',
  },
];
