/** Rules of a term from its start to its end: the price of its windows (docs/billing.md#policies). */
interface TermRules {
  /** Length of the granularity `total`: the billing period, which a cut shortens, or the full period of the plan's duration. */
  readonly total: 'billing_period' | 'full_period';
  /** Reset intervals whose months, quarters and years count from the start of their windows instead of the term's anchor. */
  readonly intervalsCountedFromWindow: 'any' | 'months_and_years';
  /** True if a rate looks back before its subscription began. */
  readonly rateLooksBeforeStart: boolean;
  /** True if `charge_full` charges nothing for a term that ended at the instant it began. */
  readonly chargeFullNeedsLength: boolean;
  /** True if the price adjustment of a period whose end was set changes only when another line of the period is due. */
  readonly adjustmentNeedsLine: boolean;
  /** True if a line that reduces a charge also reverses its part of a fixed adjustment or override. */
  readonly reductionCarriesAdjustment: boolean;
  /** True if a renewal counts the day of its start that the previous term was charged for. */
  readonly renewalCountsUsedDay: boolean;
  /** True if a renewal by days counts the whole day of its start, also where the term before was charged for a part by seconds. */
  readonly renewalCountsWholeFirstDay: boolean;
  /** True if the parts of a full period of prepaid units, and of an add-on, are each rounded alone. */
  readonly roundsUnitsAndAddonsSeparately: boolean;
  /** True if prepaid units cover usage also where they are charged nothing, as their part of a window has no length or day. */
  readonly unchargedUnitsCover: boolean;
  /** True if a cancellation also cuts windows that end at its very instant, and drops usage whose invoicing date that is. */
  readonly cancellationCutsEndedWindows: boolean;
  /** True if a switch that keeps usage separate also cuts the look-back of the rates of add-ons, which it moves. */
  readonly separateUsageCutsAddonRates: boolean;
  /** True if a period has no windows and plans no invoicing dates by the boundary near its start from which they count. */
  readonly windowsNeedBoundary: boolean;
  /** True if a change of the time zone moves boundaries where the first start has another date in the new zone. */
  readonly boundariesMoveWithZone: boolean;
  /** True if a switch forgets a first full period that is over, so that add-ons and dates that began in it count otherwise. */
  readonly switchForgetsFirstFull: boolean;
}

/** Rules of a whole invoice, independent of the policies of its terms. */
interface InvoiceRules {
  /** Order of lines after the start of their term. */
  readonly lineOrder: 'by_term_id' | 'by_plan_index_and_name';
  /** True if lines of add-ons are also ordered by the name of their plan, and equal lines by prices, then start of subscription. */
  readonly ordersByAllNames: boolean;
  /** Terms that a cancellation invoiced at once settles: its own, or all of the account that are over. */
  readonly cancellationSettles: 'its_term' | 'all_ended_terms';
  /** Charges that the end of a subscription settles: of its last term, or also what its switches left for a later date. */
  readonly endSettles: 'its_term' | 'deferred_charges_too';
  /** True if a reversal bears no tax when its window bears more tax than it was charged. */
  readonly reversalBearsNoNegativeTax: boolean;
  /** True if a reversal bears at most the tax of its charge, also when an adjustment makes it larger than the charge. */
  readonly reversalBearsTaxOfItsCharge: boolean;
}

/** A version of the rules of amounts: rounding, proration, drawdown and settlement (docs/billing.md#policies). */
export interface PricingPolicy {
  readonly term: TermRules;
  readonly invoice: InvoiceRules;
}

/**
 * All released policies. A change of amounts is a new policy; these stay unchanged, because invoices are verified by the
 * policy that computed them (test/fixtures/books).
 */
const PRICING_POLICIES: Readonly<Record<string, PricingPolicy>> = {
  '2026-1': {
    term: {
      total: 'billing_period',
      intervalsCountedFromWindow: 'any',
      rateLooksBeforeStart: true,
      chargeFullNeedsLength: true,
      adjustmentNeedsLine: true,
      reductionCarriesAdjustment: false,
      renewalCountsUsedDay: true,
      renewalCountsWholeFirstDay: true,
      roundsUnitsAndAddonsSeparately: true,
      unchargedUnitsCover: true,
      cancellationCutsEndedWindows: true,
      separateUsageCutsAddonRates: true,
      windowsNeedBoundary: true,
      boundariesMoveWithZone: true,
      switchForgetsFirstFull: true,
    },
    invoice: {
      lineOrder: 'by_term_id',
      ordersByAllNames: false,
      cancellationSettles: 'its_term',
      endSettles: 'its_term',
      reversalBearsNoNegativeTax: true,
      reversalBearsTaxOfItsCharge: true,
    },
  },
  '2026-2': {
    term: {
      total: 'full_period',
      intervalsCountedFromWindow: 'months_and_years',
      rateLooksBeforeStart: false,
      chargeFullNeedsLength: false,
      adjustmentNeedsLine: true,
      reductionCarriesAdjustment: false,
      renewalCountsUsedDay: true,
      renewalCountsWholeFirstDay: true,
      roundsUnitsAndAddonsSeparately: true,
      unchargedUnitsCover: true,
      cancellationCutsEndedWindows: true,
      separateUsageCutsAddonRates: true,
      windowsNeedBoundary: true,
      boundariesMoveWithZone: true,
      switchForgetsFirstFull: true,
    },
    invoice: {
      lineOrder: 'by_plan_index_and_name',
      ordersByAllNames: false,
      cancellationSettles: 'all_ended_terms',
      endSettles: 'its_term',
      reversalBearsNoNegativeTax: false,
      reversalBearsTaxOfItsCharge: true,
    },
  },
  '2026-3': {
    term: {
      total: 'full_period',
      intervalsCountedFromWindow: 'months_and_years',
      rateLooksBeforeStart: false,
      chargeFullNeedsLength: false,
      adjustmentNeedsLine: false,
      reductionCarriesAdjustment: true,
      renewalCountsUsedDay: false,
      renewalCountsWholeFirstDay: true,
      roundsUnitsAndAddonsSeparately: false,
      unchargedUnitsCover: true,
      cancellationCutsEndedWindows: true,
      separateUsageCutsAddonRates: true,
      windowsNeedBoundary: true,
      boundariesMoveWithZone: true,
      switchForgetsFirstFull: true,
    },
    invoice: {
      lineOrder: 'by_plan_index_and_name',
      ordersByAllNames: false,
      cancellationSettles: 'all_ended_terms',
      endSettles: 'deferred_charges_too',
      reversalBearsNoNegativeTax: false,
      reversalBearsTaxOfItsCharge: false,
    },
  },
  '2026-4': {
    term: {
      total: 'full_period',
      intervalsCountedFromWindow: 'months_and_years',
      rateLooksBeforeStart: false,
      chargeFullNeedsLength: false,
      adjustmentNeedsLine: false,
      reductionCarriesAdjustment: true,
      renewalCountsUsedDay: false,
      renewalCountsWholeFirstDay: false,
      roundsUnitsAndAddonsSeparately: false,
      unchargedUnitsCover: false,
      cancellationCutsEndedWindows: true,
      separateUsageCutsAddonRates: true,
      windowsNeedBoundary: true,
      boundariesMoveWithZone: true,
      switchForgetsFirstFull: true,
    },
    invoice: {
      lineOrder: 'by_plan_index_and_name',
      ordersByAllNames: true,
      cancellationSettles: 'all_ended_terms',
      endSettles: 'deferred_charges_too',
      reversalBearsNoNegativeTax: false,
      reversalBearsTaxOfItsCharge: false,
    },
  },
  '2026-5': {
    term: {
      total: 'full_period',
      intervalsCountedFromWindow: 'months_and_years',
      rateLooksBeforeStart: false,
      chargeFullNeedsLength: false,
      adjustmentNeedsLine: false,
      reductionCarriesAdjustment: true,
      renewalCountsUsedDay: false,
      renewalCountsWholeFirstDay: false,
      roundsUnitsAndAddonsSeparately: false,
      unchargedUnitsCover: false,
      cancellationCutsEndedWindows: false,
      separateUsageCutsAddonRates: false,
      windowsNeedBoundary: false,
      boundariesMoveWithZone: false,
      switchForgetsFirstFull: false,
    },
    invoice: {
      lineOrder: 'by_plan_index_and_name',
      ordersByAllNames: true,
      cancellationSettles: 'all_ended_terms',
      endSettles: 'deferred_charges_too',
      reversalBearsNoNegativeTax: false,
      reversalBearsTaxOfItsCharge: false,
    },
  },
};

/** Policy of stored runs without a policy. */
export const FIRST_PRICING_POLICY = '2026-1';

/** Policy of new terms and new invoices. */
export const PRICING_POLICY = '2026-5';

/** Returns a policy by name. @throws Error for a policy of a later release */
export function pricingPolicyOf(name: string): PricingPolicy {
  const policy = PRICING_POLICIES[name];
  if (!policy) throw new Error(`The policy ${name} belongs to a later release.`);
  return policy;
}
