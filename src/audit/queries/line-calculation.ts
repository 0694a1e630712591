import {
  pricedSince,
  fixedCharge,
  unitsAgainstUsage,
  unitsParts,
  usageCharge,
  type Charge,
} from '../../billing/rating/charges.js';
import type { RunData, RunTerm } from '../../billing/rating/run.js';
import type { ScheduledItem } from '../../billing/rating/schedule.js';
import { type RunSchedules, schedulesOf } from '../../billing/rating/usage-needs.js';
import type { ClosedUsagePeriod, InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import type { Period } from '../../kernel/period.js';
import type { Instant } from '../../kernel/instant.js';
import { fromExact, minorOf } from '../../kernel/money.js';
import {
  ONE,
  ZERO,
  add,
  compareQuantities,
  maxQuantity,
  minQuantity,
  multiply,
  quantity,
  readExactText,
  subtract,
  type Quantity,
} from '../../kernel/quantity.js';
import type { PlanComponent } from '../../pricing/price-content.js';
import { prorationFactor } from '../../pricing/proration.js';
import { tierRows, type TierRow } from '../../pricing/tier-rows.js';
import { priceByTiers } from '../../pricing/tiers.js';

/** Part of the amount owed under a charge key. The parts sum to the exact amount. */
export interface CalculationStep {
  readonly what: 'recurring_charge' | 'prepaid_units' | 'usage' | 'usage_paid_by_prepaid_units';
  readonly units: Quantity;
  /** Units that prepaid units of an earlier plan cover; they are subtracted before the tiers. */
  readonly covered: Quantity;
  /** Prepaid units that usage is covered by, used or not; null where no prepaid units cover the step. */
  readonly prepaidUnits: Quantity | null;
  /** The price of one unit of a recurring charge; null where tiers price it. */
  readonly unitPrice: Quantity | null;
  readonly tiers: readonly TierRow[];
  /** Bulk pricing: the tier that holds all priced units prices each of them. */
  readonly isBulk: boolean;
  /** Price before proration: the sum of the tiers, or units × unit price. */
  readonly price: Quantity;
  readonly during: Period;
  /**
   * Factors of the parts up to the start and up to the end of `during`, where parts are rounded cumulatively.
   */
  readonly cumulative: { readonly before: Quantity; readonly upTo: Quantity } | null;
  /** True where the price is for the full interval and a part of it is charged; false for usage. */
  readonly isProrated: boolean;
  /** Factor of the price; 1 without proration, 0 where nothing is charged. */
  readonly fraction: Quantity;
  /** Negative when it is subtracted. */
  readonly amount: Quantity;
}

/** Calculation of everything owed under one charge key by now. */
export interface LineCalculation {
  readonly steps: readonly CalculationStep[];
  readonly exact: Quantity;
  /** `exact` rounded once, in minor units. */
  readonly due: bigint;
  /** Sum that earlier invoices charged under the key, in minor units. */
  readonly chargedBefore: bigint;
  /** Window of the charged item, and the full interval that a fraction refers to. */
  readonly segment: Period;
  readonly full: Period;
  readonly basis: string;
  readonly zone: string;
}

/**
 * Prepares the calculations of an invoice's lines: computes again, from the inputs as the run read them, the
 * amount owed under the charge key of a line. The bases of all lines of a key on the invoice sum to `due` −
 * `chargedBefore`.
 */
export function calculationsOf(
  data: RunData,
  closedPeriodOf: (line: InvoiceLine) => ClosedUsagePeriod | undefined,
  schedules: RunSchedules = schedulesOf(data),
): (line: InvoiceLine) => LineCalculation | null {
  const items = new Map<string, { readonly item: ScheduledItem; readonly runTerm: RunTerm }>();
  for (const { runTerm, due } of schedules) {
    for (const item of due) items.set(item.chargeKey, { item, runTerm });
  }
  return (line) => {
    const found = items.get(line.chargeKey);
    if (!found) return null;
    const { item, runTerm } = found;
    const { charge: exact, steps } = calculate(item, runTerm, closedPeriodOf(line));
    return {
      steps,
      exact,
      due: minorOf(fromExact(exact, data.currency)),
      chargedBefore: data.account.billed.get(line.chargeKey)?.base ?? 0n,
      segment: item.segment,
      full: item.full,
      basis: runTerm.term.basis.prorationBasis,
      zone: runTerm.term.basis.zone,
    };
  };
}

interface CalculatedCharge {
  readonly charge: Quantity;
  readonly steps: readonly CalculationStep[];
}

function calculate(
  item: ScheduledItem,
  runTerm: RunTerm,
  closedPeriod: ClosedUsagePeriod | undefined,
): CalculatedCharge {
  const { source } = item;
  switch (source.kind) {
    case 'recurring':
      return calculateRecurring(item, runTerm, quantity(source.charge.amount));
    case 'prepaid':
      return calculatePrepaid(item, runTerm, source.component);
    case 'usage':
      // A switch transferred the usage, so nothing is owed here any more.
      return closedPeriod && !item.transferredToSuccessor
        ? calculateUsage(source.component, closedPeriod, item, runTerm)
        : { charge: ZERO, steps: [] };
  }
}

const NOT_PRORATED = { cumulative: null, isProrated: false, fraction: ONE } as const;

function calculateRecurring(item: ScheduledItem, runTerm: RunTerm, unitPrice: Quantity): CalculatedCharge {
  const charge = fixedCharge(item, runTerm);
  const { segment } = item;
  const price = multiply(unitPrice, charge.quantity);
  const step = {
    ...({
      what: 'recurring_charge',
      units: charge.quantity,
      covered: ZERO,
      prepaidUnits: null,
      unitPrice,
      tiers: [],
      isBulk: false,
    } as const),
    price,
    during: segment,
    ...fractionOf(charge),
    cumulative: cumulativeOf(charge, item, runTerm),
    amount: charge.exact,
  };
  return { charge: charge.exact, steps: [step] };
}

/** A charge without a fraction is charged in full, or not at all. */
const fractionOf = ({ exact, fraction }: Charge) => ({
  isProrated: fraction !== null,
  fraction: fraction ?? (exact === ZERO ? ZERO : ONE),
});

function cumulativeOf({ fraction }: Charge, item: ScheduledItem, runTerm: RunTerm) {
  return fraction && cumulativeSince(pricedSince(item, runTerm), item.segment, item, runTerm);
}

/** Returns the factors of a part that is rounded cumulatively since an instant before it; null for any other part. */
function cumulativeSince(
  since: Instant | undefined,
  { start, end }: Period,
  { full }: ScheduledItem,
  runTerm: RunTerm,
): CalculationStep['cumulative'] {
  if (since === undefined || since >= start) return null;
  const upTo = (to: Instant) => prorationFactor({ start: since, end: to }, full, runTerm);
  return { before: upTo(start), upTo: upTo(end) };
}

function calculatePrepaid(item: ScheduledItem, runTerm: RunTerm, component: PlanComponent): CalculatedCharge {
  const charge = fixedCharge(item, runTerm);
  const { tiers, volume } = component;
  const step = (
    units: Quantity,
    part: Pick<CalculationStep, 'during' | 'isProrated' | 'fraction' | 'cumulative' | 'amount'>,
  ): CalculationStep => ({
    ...part,
    what: 'prepaid_units',
    units,
    covered: ZERO,
    prepaidUnits: null,
    unitPrice: null,
    price: priceByTiers(tiers, units, volume),
    tiers: tierRows(tiers, units, volume),
    isBulk: volume,
  });
  const isInParts = charge.held && charge.fraction === null && component.prepaid?.behavior === 'prorate';
  const steps = isInParts
    ? unitsParts(component, item, runTerm).map(({ units, during, fraction, since, exact }) => {
        const cumulative = cumulativeSince(since, during, item, runTerm);
        return step(units, { during, isProrated: true, fraction, cumulative, amount: exact });
      })
    : [
        step(charge.quantity, {
          during: item.segment,
          ...fractionOf(charge),
          cumulative: cumulativeOf(charge, item, runTerm),
          amount: charge.exact,
        }),
      ];
  return { charge: charge.exact, steps };
}

/**
 * Prices the usage and subtracts prepaid units: all of the usage if their price is at least the price of the usage,
 * else their price.
 */
function calculateUsage(
  component: PlanComponent,
  closedPeriod: ClosedUsagePeriod,
  item: ScheduledItem,
  runTerm: RunTerm,
): CalculatedCharge {
  const { tiers, volume } = component;
  const used = readExactText(closedPeriod.quantity);
  const charge = usageCharge(component, used, item, runTerm);
  const step = (
    what: CalculationStep['what'],
    units: Quantity,
    { sign, covered, prepaidUnits }: { sign: Quantity } & Pick<CalculationStep, 'covered' | 'prepaidUnits'>,
  ): CalculationStep => {
    const rows = tierRows(tiers, subtract(units, covered), volume);
    const price = rows.reduce((sum, { amount }) => add(sum, amount), ZERO);
    return {
      ...NOT_PRORATED,
      what,
      units,
      covered,
      prepaidUnits,
      unitPrice: null,
      tiers: rows,
      isBulk: volume,
      price,
      during: closedPeriod.window,
      amount: multiply(price, sign),
    };
  };
  const usage = step('usage', used, {
    sign: ONE,
    covered: minQuantity(charge.covered ?? ZERO, maxQuantity(used, ZERO)),
    prepaidUnits: charge.covered ?? null,
  });
  const prepaidUnits = unitsAgainstUsage(component, item, runTerm);
  if (prepaidUnits === null) return { charge: charge.exact, steps: [usage] };
  const isAllCovered = compareQuantities(priceByTiers(tiers, prepaidUnits, volume), usage.price) >= 0;
  const paid = step('usage_paid_by_prepaid_units', isAllCovered ? used : prepaidUnits, {
    sign: subtract(ZERO, ONE),
    covered: ZERO,
    prepaidUnits,
  });
  return { charge: charge.exact, steps: [usage, paid] };
}
