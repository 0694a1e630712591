import { describe, expect, it } from '@jest/globals';
import { Profile, validateXsd } from '@stackforge-eu/factur-x';
import type { ComputedInvoice } from '../../../src/billing/accounts/domain/event-data.js';
import {
  crossIndustryInvoice,
  type EInvoiceSource,
} from '../../../src/billing/e-invoice/cross-industry-invoice.js';
import { fromStored, toDecimal } from '../../../src/kernel/money.js';
import { FIRST_SETTINGS } from '../../../src/organization/domain/organization.js';
import {
  ADDRESS,
  anInvoice,
  aSource,
  BUYER,
  OWES_THE_TAX,
  PERSON,
  SELLER,
} from '../../support/builders/e-invoices.js';
import { amountsBreakingRules, partOf, partsOf } from '../../support/e-invoice-rules.js';

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
    'a discount, a surcharge, a line that is free by its discount, and a discount that is taken back',
    anInvoice(
      'EUR',
      [
        { net: 2_700n, adjustment: -300n, rate: '19' },
        { net: 1_050n, adjustment: 50n, rate: '19', quantity: '7' },
        { net: 0n, adjustment: -1_000n, rate: '19' },
        { net: -900n, adjustment: 100n, rate: '19' },
      ],
      0n,
    ),
  ],
  [
    'a credit note of a discounted fee',
    anInvoice('EUR', [{ net: -2_700n, adjustment: 300n, rate: '19' }], 3_213n, '260101-000007'),
  ],
  ['reverse charge', anInvoice('EUR', [{ net: 3_000n, rate: '0' }], 0n), { buyer: OWES_THE_TAX }],
  [
    'reverse charge beside lines that were taxed before it',
    anInvoice(
      'EUR',
      [
        { net: 3_000n, rate: '0', adjustment: -10n },
        { net: -500n, rate: '19' },
      ],
      0n,
    ),
    { buyer: OWES_THE_TAX },
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

  it('has a price adjustment as allowance or charge of its line, beside the price before it', () => {
    const xml = crossIndustryInvoice(aSource(INVOICES[9]![1]));
    expect(partsOf(xml, 'ChargeAmount')).toEqual(['30.00', '10.00', '10.00', '10.00']);
    expect(partsOf(xml, 'BilledQuantity')).toEqual(['1', '7', '1', '-1']);
    expect([...xml.matchAll(/<udt:Indicator>(\w+)</g)].map(([, text]) => text)).toEqual([
      ...['false', 'true', 'false', 'true'],
    ]);
    expect(partsOf(xml, 'ActualAmount')).toEqual(['3.00', '0.50', '10.00', '1.00']);
    expect(partsOf(xml, 'Reason')).toEqual(['Discount', 'Price adjustment', 'Discount', 'Price adjustment']);
  });

  it('says reverse charge of a rate of 0 where the customer owes the tax', () => {
    const xml = crossIndustryInvoice(aSource(INVOICES[11]![1], { buyer: OWES_THE_TAX }));
    expect(new Set(partsOf(xml, 'CategoryCode'))).toEqual(new Set(['AE']));
    expect(partsOf(xml, 'ExemptionReason')).toEqual(['Reverse charge']);
    expect(partsOf(xml, 'ExemptionReasonCode')).toEqual(['VATEX-EU-AE']);
    expect(xml).toContain('schemeID="VA">PL5250001122<');
  });

  it('is refused at a rate of 0 after an erasure, which took the reason for it', () => {
    const buyer = { ...BUYER, person: undefined };
    expect(() => crossIndustryInvoice(aSource(INVOICES[11]![1], { buyer }))).toThrow(
      /invalid_state: .*erased.* Use its PDF\./,
    );
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
