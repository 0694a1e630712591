import { add, isZeroMoney, toStored } from '../../kernel/money.js';
import type { Money } from '../../kernel/money.js';
import { plusMicros } from '../../kernel/instant.js';
import { toDecimalText } from '../../kernel/quantity.js';
import { localDateText } from '../../kernel/zone.js';
import type { AccountState } from '../domain/account-state.js';
import type { InvoiceLine, LineAdjustment } from '../domain/events.js';
import { priceAdjustments } from './adjustments.js';
import { withinBounds } from './bounds.js';
import type { DraftLine } from './draft-lines.js';
import type { ChargeSource } from './schedule.js';
import { taxes } from './tax.js';

/** Ledger accounts of adjustments, as the API shows them. */
const PLAN_ADJUSTMENTS = '21000';
const SALES_TAX = '41100';

export interface PricedLine {
  readonly line: InvoiceLine;
  readonly amount: Money;
}

/** Base, price adjustment, tax: each a rounded amount, in this order; a line is their sum (billing.md section 8). */
export function invoiceLines(
  drafts: readonly DraftLine[],
  account: AccountState,
  taxRate: string | null,
  currency: string,
): PricedLine[] {
  const adjustments = priceAdjustments(drafts, account, currency);
  const subtotals = drafts.map((draft, index) =>
    withinBounds(add(draft.base, adjustments[index]!), currency),
  );
  const taxShares = taxes(subtotals, taxRate, currency);
  return drafts.map((draft, index) => {
    const amount = withinBounds(add(subtotals[index]!, taxShares[index]!), currency);
    withinBounds(draft.base, currency);
    return {
      amount,
      line: {
        ...describe(draft, taxRate),
        base: toStored(draft.base),
        adjustments: [
          ...adjustmentOf(adjustments[index]!, PLAN_ADJUSTMENTS, 'plan_adjustment'),
          ...adjustmentOf(taxShares[index]!, SALES_TAX, 'sales_tax'),
        ],
        subtotal: toStored(subtotals[index]!),
        amount: toStored(amount),
      },
    };
  });
}

const adjustmentOf = (amount: Money, account: string, type: LineAdjustment['type']): LineAdjustment[] =>
  isZeroMoney(amount) ? [] : [{ amount: toStored(amount), account, type }];

function describe(
  { runTerm, item, covered, quantity, explanation }: DraftLine,
  taxRate: string | null,
): Omit<InvoiceLine, 'base' | 'adjustments' | 'subtotal' | 'amount'> {
  const { term, planName, versionNumber } = runTerm;
  const { planId, versionId, zone } = term.basis;
  return {
    chargeKey: item.chargeKey,
    name: nameOf(item.source),
    subscriptionId: term.subscriptionId,
    plan: { planId, versionId, name: planName, version: versionNumber },
    filters: term.filters,
    period: covered,
    localDates: {
      first: localDateText(covered.start, zone),
      last: localDateText(plusMicros(covered.end, -1n), zone),
    },
    quantity: toDecimalText(quantity),
    billingType: item.billingType,
    explanation: taxRate === null ? explanation : { ...explanation, taxRate },
  };
}

function nameOf(source: ChargeSource): string {
  switch (source.kind) {
    case 'recurring':
      return source.charge.name;
    case 'prepaid':
      return `${source.component.metricName} (prepaid)`;
    case 'usage':
      return source.component.metricName;
  }
}
