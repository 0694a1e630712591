import { derivedId, type Uuid } from '../../kernel/ids.js';
import { compareQuantities, quantity, type Quantity } from '../../kernel/quantity.js';

export const THRESHOLD_TYPES = ['units', 'amount'] as const;
export type ThresholdType = (typeof THRESHOLD_TYPES)[number];

/** A threshold of usage, for one customer or for each subscriber of a plan. */
export interface UsageAlert {
  readonly alertId: Uuid;
  readonly name: string;
  readonly metricId: Uuid;
  readonly customerKey: Uuid | null;
  readonly planId: Uuid | null;
  readonly measure: ThresholdType;
  /** Decimal text. */
  readonly threshold: string;
}

/** Usage of a window, as billing counts and prices it. */
export interface MeasuredWindow {
  readonly metricId: Uuid;
  readonly customerKey: Uuid;
  readonly planId: Uuid;
  /** The subscription, or the add-on on it. */
  readonly owner: Uuid;
  readonly windowStart: string;
  readonly used: Quantity;
  /** Exact cost in major units, before adjustments and tax. */
  readonly cost: Quantity;
}

/** Tells whether an alert watches usage of this customer on this plan. */
export const watches = (
  { metricId, customerKey, planId }: UsageAlert,
  usage: Pick<MeasuredWindow, 'metricId' | 'customerKey' | 'planId'>,
): boolean => metricId === usage.metricId && (customerKey === usage.customerKey || planId === usage.planId);

/** Tells whether a threshold is reached; the exact value reaches it. */
export const isReached = ({ measure, threshold }: UsageAlert, { used, cost }: MeasuredWindow): boolean =>
  compareQuantities(measure === 'units' ? used : cost, quantity(threshold)) >= 0;

/** Id of a firing: one per alert, threshold and window, so that any process fires it once. */
export const firingId = (
  { alertId, threshold }: Pick<UsageAlert, 'alertId' | 'threshold'>,
  { owner, metricId, windowStart }: Pick<MeasuredWindow, 'owner' | 'metricId' | 'windowStart'>,
): Uuid => derivedId(alertId, `${threshold} ${owner} ${metricId} ${windowStart}`);
