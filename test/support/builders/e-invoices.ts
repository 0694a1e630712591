import type { ComputedInvoice, InvoiceLine } from '../../../src/billing/accounts/domain/event-data.js';
import type { EInvoiceSource } from '../../../src/billing/e-invoice/cross-industry-invoice.js';
import { taxesByRate } from '../../../src/billing/rating/tax.js';
import { namedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import { addMoney, fromStored, money, sumMoney, toStored, zero } from '../../../src/kernel/money.js';
import { FIRST_SETTINGS } from '../../../src/organization/domain/organization.js';

interface Sold {
  readonly name?: string;
  readonly net: bigint;
  /** Price adjustment contained in `net`; negative for a discount. */
  readonly adjustment?: bigint;
  readonly rate?: string;
  readonly quantity?: string | null;
  readonly addon?: string;
}

export const ADDRESS = {
  line1: 'Lange Str. 1',
  line2: null,
  postalCode: '10115',
  city: 'Berlin',
  state: null,
};
export const SELLER = {
  ...FIRST_SETTINGS,
  name: 'Acme',
  legalName: 'Acme <Hosting> & Söhne GmbH',
  email: 'billing@acme.example',
  address: { ...ADDRESS, country: 'DE' },
  taxIds: [
    { type: 'vat', value: 'DE 123456789' },
    { type: 'company_number', value: 'HRB 1' },
  ] as const,
  paymentTerms: 'Net 14 days.',
  paymentDetails: { accountHolder: 'Acme', iban: 'DE89370400440532013000', bic: 'COBADEFF', text: null },
};
export const PERSON = {
  customerId: 'c-1',
  name: 'Żółć \u0000 Ltd',
  email: 'pay@zolc.example',
  billingAddress: { ...ADDRESS, city: 'Gdańsk', country: 'PL' },
  shippingAddress: null,
  paymentProviderId: null,
  properties: {},
};
export const BUYER = { person: PERSON, erasedName: 'Personal data erased', country: 'PL' };
export const OWES_THE_TAX = {
  ...BUYER,
  person: { ...PERSON, reverseCharge: true, taxIds: [{ type: 'vat', value: 'PL5250001122' }] as const },
};

/** An invoice with these lines, reduced by a credit. Tax is distributed to the lines as in a billing run. */
export function anInvoice(
  currency: string,
  sold: readonly Sold[],
  credit: bigint,
  reduced?: string,
): ComputedInvoice {
  const amountOf = (minor: bigint) => money(minor, currency);
  const taxes = taxesByRate(
    sold.map(({ net }) => amountOf(net)),
    sold.map(({ rate }) => rate ?? null),
    currency,
  );
  const shared = {
    filters: null,
    localDates: { first: '2026-01-01', last: '2026-01-31' },
    plan: { name: 'Pro', version: 2, planId: 'p', versionId: 'v' },
  };
  const lines = sold.map(({ name = 'API calls', net, adjustment = 0n, rate, quantity = '1' }, index) => ({
    ...shared,
    name,
    quantity,
    base: toStored(amountOf(net - adjustment)),
    subtotal: toStored(amountOf(net)),
    amount: toStored(addMoney(amountOf(net), taxes[index]!)),
    adjustments: [
      ...(adjustment === 0n
        ? []
        : [{ account: '21000', amount: toStored(amountOf(adjustment)), type: 'plan_adjustment' }]),
      { account: '41100', amount: toStored(taxes[index]!), type: 'sales_tax' },
    ],
    explanation: { rule: 'usage', ...(rate === undefined ? {} : { taxRate: rate }) },
  }));
  const settling = {
    ...shared,
    plan: null,
    name: reduced === undefined ? 'Applied Credit' : `Applied to ${reduced}`,
    quantity: null,
    base: toStored(zero(currency)),
    subtotal: toStored(amountOf(credit)),
    amount: toStored(amountOf(credit)),
    adjustments: [{ account: '21100', amount: toStored(amountOf(credit)), type: 'credit' }],
    explanation: { rule: reduced === undefined ? 'credit_drawdown' : 'invoice_reduction' },
  };
  const all = (credit === 0n ? lines : [...lines, settling]) as unknown as InvoiceLine[];
  const total = sumMoney(
    currency,
    all.map(({ amount }) => fromStored(amount)),
  );
  return {
    currency,
    lines: all,
    total: toStored(total),
    costDue: toStored(total),
    issuedAt: instant('2026-02-01T00:30:00Z'),
    dueAt: instant('2026-02-15T00:30:00Z'),
  } as unknown as ComputedInvoice;
}

export const aSource = (invoice: ComputedInvoice, changes: Partial<EInvoiceSource> = {}): EInvoiceSource => ({
  org: namedId('an organization'),
  number: '260201-000001',
  seller: SELLER,
  buyer: BUYER,
  invoice,
  ...changes,
});
