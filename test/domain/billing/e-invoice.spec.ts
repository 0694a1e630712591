import { describe, expect, it } from '@jest/globals';
import { Profile, validateXsd } from '@stackforge-eu/factur-x';
import type { ComputedInvoice, InvoiceLine } from '../../../src/billing/accounts/domain/event-data.js';
import {
  crossIndustryInvoice,
  type EInvoiceSource,
} from '../../../src/billing/e-invoice/cross-industry-invoice.js';
import { taxesByRate } from '../../../src/billing/rating/tax.js';
import { namedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import { add, fromStored, money, sum, toDecimal, toStored, zero } from '../../../src/kernel/money.js';
import { FIRST_SETTINGS } from '../../../src/organization/domain/organization.js';
import { amountsBreakingRules, partOf, partsOf } from '../../support/e-invoice-rules.js';

interface Sold {
  readonly name?: string;
  readonly net: bigint;
  readonly rate?: string;
  readonly quantity?: string | null;
  readonly addon?: string;
}

const ADDRESS = { line1: 'Lange Str. 1', line2: null, postalCode: '10115', city: 'Berlin', state: null };
const SELLER = {
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
const PERSON = {
  customerId: 'c-1',
  name: 'Żółć \u0000 Ltd',
  email: 'pay@zolc.example',
  billingAddress: { ...ADDRESS, city: 'Gdańsk', country: 'PL' },
  shippingAddress: null,
  paymentProviderId: null,
  properties: {},
};
const BUYER = { person: PERSON, erasedName: 'Personal data erased', country: 'PL' };

/** An invoice that sells these and is settled by credits so far; tax is shared to the lines as a run does. */
function anInvoice(
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
  const lines = sold.map(({ name = 'API calls', net, rate, quantity = '1' }, index) => ({
    ...shared,
    name,
    quantity,
    base: toStored(amountOf(net)),
    subtotal: toStored(amountOf(net)),
    amount: toStored(add(amountOf(net), taxes[index]!)),
    adjustments: [{ account: '41100', amount: toStored(taxes[index]!), type: 'sales_tax' }],
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
  const total = sum(
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

const aSource = (invoice: ComputedInvoice, changes: Partial<EInvoiceSource> = {}): EInvoiceSource => ({
  org: namedId('an organization'),
  number: '260201-000001',
  seller: SELLER,
  buyer: BUYER,
  invoice,
  ...changes,
});

const INVOICES: readonly (readonly [string, ComputedInvoice, Partial<EInvoiceSource>?])[] = [
  ['one rate', anInvoice('EUR', [{ net: 3_000n, rate: '19' }], 0n)],
  [
    'several rates, an exemption and a price of tiers',
    anInvoice(
      'EUR',
      [
        { net: 333n, rate: '19', quantity: '7' },
        { net: 335n, rate: '19.0', quantity: '0.3333333333' },
        { net: 1n, rate: '7.5' },
        { net: 100n, rate: '0', quantity: null },
        { net: 50n, name: 'flat fee', rate: '7.5', quantity: '0' },
        { net: 9n },
      ],
      0n,
    ),
  ],
  ['credit for a part', anInvoice('USD', [{ net: 10_000n, rate: '8.25' }], -4_025n)],
  ['credit for all', anInvoice('USD', [{ net: 10_000n, rate: '10' }], -11_000n)],
  [
    'a line that takes back',
    anInvoice(
      'EUR',
      [
        { net: 5_000n, rate: '19' },
        { net: -1_234n, rate: '19', quantity: '31' },
      ],
      0n,
    ),
  ],
  [
    'more taken back than sold',
    anInvoice(
      'EUR',
      [
        { net: 1_000n, rate: '19' },
        { net: -3_100n, rate: '19' },
      ],
      2_499n,
      '260101-000007',
    ),
  ],
  ['no tax at all', anInvoice('EUR', [{ net: 1_000n }], 0n)],
  ['yen', anInvoice('JPY', [{ net: 1_005n, rate: '10' }], -1n)],
  [
    'dinars in whole hundredths',
    anInvoice('KWD', [{ net: 12_400n, rate: '5', quantity: '3' }, { net: 60n }], -20n),
  ],
  [
    'nothing set that is optional',
    anInvoice('EUR', [{ net: 1_000n, rate: '19' }], 0n),
    {
      seller: {
        ...FIRST_SETTINGS,
        address: { ...ADDRESS, line1: null, city: ' ', country: 'DE' },
        taxIds: [{ type: 'tax_number', value: '12/345' }],
      },
      buyer: { ...BUYER, person: undefined },
    },
  ],
];

describe('the e-invoice', () => {
  it.each(INVOICES)('follows the schema and the sums of EN 16931: %s', async (_, invoice, changes) => {
    const xml = crossIndustryInvoice(aSource(invoice, changes));
    expect((await validateXsd(xml, Profile.EN16931)).errors).toEqual([]);
    expect(amountsBreakingRules(xml)).toEqual([]);
    expect(Number(partOf(xml, 'DuePayableAmount'))).toBe(Number(toDecimal(fromStored(invoice.costDue))));
  });

  it('has the quantity of a line, and its amount as the price of that quantity', () => {
    const xml = crossIndustryInvoice(aSource(INVOICES[1]![1]));
    expect(partsOf(xml, 'BilledQuantity')).toEqual(['7', '0.3333333333', '1', '1', '1', '1']);
    expect(partsOf(xml, 'ChargeAmount')).toEqual(['3.33', '3.35', '0.01', '1.00', '0.50', '0.09']);
  });

  it('is a credit note with positive sums where more is taken back than sold, and names what it was taken off', () => {
    const xml = crossIndustryInvoice(aSource(INVOICES[5]![1]));
    expect(partOf(xml, 'TypeCode')).toBe('381');
    expect(partsOf(xml, 'LineTotalAmount')).toEqual(['-10.00', '31.00', '21.00']);
    expect(partOf(xml, 'TotalPrepaidAmount')).toBe('24.99');
    expect(partOf(xml, 'DuePayableAmount')).toBe('0.00');
    expect(partsOf(xml, 'IssuerAssignedID')).toEqual(['260101-000007']);
  });

  it('says exempt at a rate of 0, and outside of VAT, without the VAT number, where no line has a rate', () => {
    const mixed = crossIndustryInvoice(aSource(INVOICES[1]![1]));
    expect(new Set(partsOf(mixed, 'CategoryCode'))).toEqual(new Set(['S', 'E']));
    expect(mixed).toContain('schemeID="VA">DE123456789<');
    const untaxed = crossIndustryInvoice(aSource(INVOICES[6]![1]));
    expect(new Set(partsOf(untaxed, 'CategoryCode'))).toEqual(new Set(['O']));
    expect(untaxed).not.toContain('DE123456789');
    expect(untaxed).not.toContain('RateApplicablePercent');
  });

  it('has the VAT and company number of the customer, where there is VAT', () => {
    const taxIds = [
      { type: 'vat', value: 'PL 525-000-11-22' },
      { type: 'tax_number', value: '77/123' },
      { type: 'company_number', value: 'KRS 0000123' },
    ] as const;
    const buyer = { ...BUYER, person: { ...PERSON, taxIds } };
    const taxed = crossIndustryInvoice(aSource(INVOICES[0]![1], { buyer }));
    const party = /<ram:BuyerTradeParty>[^]*<\/ram:BuyerTradeParty>/.exec(taxed)![0];
    expect(party).toMatch(/<ram:SpecifiedTaxRegistration>\s*<ram:ID schemeID="VA">PL5250001122</);
    expect(party).toMatch(/<ram:SpecifiedLegalOrganization>\s*<ram:ID>KRS 0000123</);
    expect(party).not.toContain('77/123');
    expect(crossIndustryInvoice(aSource(INVOICES[6]![1], { buyer }))).not.toContain('PL5250001122');
    const wrong = {
      ...BUYER,
      person: { ...PERSON, taxIds: [{ type: 'vat', value: '5250001122' }] as const },
    };
    expect(() => crossIndustryInvoice(aSource(INVOICES[0]![1], { buyer: wrong }))).toThrow(
      /the country before the VAT number of the customer: `tax_ids`/,
    );
  });

  it('names an erased customer by its country alone', () => {
    const xml = crossIndustryInvoice(aSource(INVOICES[0]![1], { buyer: { ...BUYER, person: undefined } }));
    expect(xml).toContain('Personal data erased');
    expect(xml).not.toContain('Gdańsk');
  });

  it('names every setting that the standard wants and the invoice lacks', () => {
    const nobody = { ...PERSON, billingAddress: null };
    const refused = () =>
      crossIndustryInvoice(
        aSource(INVOICES[0]![1], { seller: FIRST_SETTINGS, buyer: { ...BUYER, person: nobody } }),
      );
    expect(refused).toThrow(
      /invalid_state: .* lacks your country: `address`.*; your VAT or tax number: `tax_ids`.*; the country of the customer/,
    );
    const seller = { ...SELLER, taxIds: [{ type: 'vat', value: '123456789' } as const] };
    expect(() => crossIndustryInvoice(aSource(INVOICES[0]![1], { seller }))).toThrow(
      /the country before your VAT number/,
    );
  });

  it('is refused where an amount has three decimals, which EN 16931 cannot say', () => {
    const invoice = anInvoice('KWD', [{ net: 12_345n, rate: '5' }], 0n);
    expect(() => crossIndustryInvoice(aSource(invoice))).toThrow(/invalid_state: .*KWD has 12\.345/);
  });
});
