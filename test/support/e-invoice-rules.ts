import { convert } from 'xmlbuilder2';

type Tree = { readonly [name: string]: Tree | readonly Tree[] | string };

/** Returns the text of every element of this name, in document order. */
export const partsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)<`, 'g'))].map(([, text]) => text!);

export const partOf = (xml: string, name: string): string => partsOf(xml, name)[0]!;

/** Checks the amounts of a Cross Industry Invoice by EN 16931. @returns the names of broken rules */
export function amountsBreakingRules(xml: string): string[] {
  const root = convert(xml, { format: 'object' }) as unknown as Tree;
  const lines = all(
    root,
    'CrossIndustryInvoice/SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem',
  );
  const settlement = 'CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement';
  const taxes = all(root, `${settlement}/ApplicableTradeTax`);
  const total = (name: string) =>
    cents(one(root, `${settlement}/SpecifiedTradeSettlementHeaderMonetarySummation/${name}`));
  const lineTax = 'SpecifiedLineTradeSettlement/ApplicableTradeTax';
  const netOf = (line: Tree) =>
    cents(
      one(line, 'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount'),
    );
  const price = 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice';
  const categoryOf = (tree: Tree) =>
    `${one(tree, 'CategoryCode')} ${all(tree, 'RateApplicablePercent').length ? one(tree, 'RateApplicablePercent') : ''}`;

  /** Returns charges less allowances of a line. */
  const adjustmentOf = (line: Tree) =>
    sumOf(
      all(line, 'SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge').map((part) => {
        const isCharge = one(part, 'ChargeIndicator/Indicator') === 'true';
        return (isCharge ? 1n : -1n) * cents(one(part, 'ActualAmount'));
      }),
    );
  const agreement = 'CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement';
  const registrations = (party: string) =>
    all(root, `${agreement}/${party}/SpecifiedTaxRegistration/ID`).length;
  const codeOf = (tax: Tree) => one(tax, 'CategoryCode');
  const lineTaxes = lines.map((line) => all(line, lineTax)[0]!);

  /** One minor unit in hundredths: yen amounts have no decimals. */
  const smallest = /GrandTotalAmount>-?\d+\./.test(xml) ? 1 : 100;
  const rules: Record<string, boolean> = {
    'BR-16': lines.length > 0,
    'BR-CO-10': total('LineTotalAmount') === sumOf(lines.map(netOf)),
    // Allowances and charges of the whole document would be part of both sums.
    'BR-CO-11': all(root, `${settlement}/SpecifiedTradeAllowanceCharge`).length === 0,
    'BR-CO-12': all(root, `${settlement}/SpecifiedTradeAllowanceCharge`).length === 0,
    'BR-CO-13': total('TaxBasisTotalAmount') === total('LineTotalAmount'),
    'BR-CO-14': total('TaxTotalAmount') === sumOf(taxes.map((tax) => cents(one(tax, 'CalculatedAmount')))),
    'BR-CO-15': total('GrandTotalAmount') === total('TaxBasisTotalAmount') + total('TaxTotalAmount'),
    'BR-CO-16': total('DuePayableAmount') === total('GrandTotalAmount') - total('TotalPrepaidAmount'),
    'BR-CO-17': taxes.every((tax) => {
      const [code, rate] = categoryOf(tax).split(' ');
      const exact = (Number(cents(one(tax, 'BasisAmount'))) * Number(rate || '0')) / 100;
      const written = Number(cents(one(tax, 'CalculatedAmount')));
      return code === 'S' ? Math.abs(exact - written) <= smallest : written === 0;
    }),
    'BR-CO-18': taxes.length > 0,
    'BR-CO-25':
      total('DuePayableAmount') <= 0n || all(root, `${settlement}/SpecifiedTradePaymentTerms`).length === 1,
    // Covers BR-E-08, BR-O-08 and BR-AE-08: the base of each category and rate is the sum of its lines.
    'BR-S-08': taxes.every(
      (tax) =>
        cents(one(tax, 'BasisAmount')) ===
        sumOf(lines.filter((line) => categoryOf(all(line, lineTax)[0]!) === categoryOf(tax)).map(netOf)),
    ),
    'BR-S-05': lineTaxes.every((tax) => codeOf(tax) !== 'S' || Number(one(tax, 'RateApplicablePercent')) > 0),
    'BR-E-05': lineTaxes.every(
      (tax) => codeOf(tax) !== 'E' || Number(one(tax, 'RateApplicablePercent')) === 0,
    ),
    'BR-AE-02':
      lineTaxes.every((tax) => codeOf(tax) !== 'AE') ||
      (registrations('SellerTradeParty') > 0 && registrations('BuyerTradeParty') > 0),
    'BR-AE-05': lineTaxes.every(
      (tax) => codeOf(tax) !== 'AE' || Number(one(tax, 'RateApplicablePercent')) === 0,
    ),
    'BR-O-05': lineTaxes.every(
      (tax) => codeOf(tax) !== 'O' || all(tax, 'RateApplicablePercent').length === 0,
    ),
    // Covers BR-O-09 and BR-AE-09.
    'BR-E-09': taxes.every((tax) => codeOf(tax) === 'S' || cents(one(tax, 'CalculatedAmount')) === 0n),
    // Covers BR-O-10, BR-AE-10 and BR-S-10: only a category without tax has an exemption reason.
    'BR-E-10': taxes.every((tax) => (codeOf(tax) === 'S') === (all(tax, 'ExemptionReason').length === 0)),
    'BR-O-11': taxes.length === 1 || taxes.every((tax) => codeOf(tax) !== 'O'),
    // Covers BR-E-01, BR-O-01 and BR-AE-01: each category and rate of a line has exactly one breakdown, and there is
    // no other.
    'BR-S-01':
      new Set(taxes.map(categoryOf)).size === taxes.length &&
      setsAreEqual(new Set(taxes.map(categoryOf)), new Set(lineTaxes.map(categoryOf))),
    'BR-27': lines.every((line) => cents(one(line, `${price}/ChargeAmount`)) >= 0n),
    // Covers BR-42, BR-43 and BR-44: each allowance and charge has a positive amount and a reason.
    'BR-41': lines
      .flatMap((line) => all(line, 'SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge'))
      .every((part) => cents(one(part, 'ActualAmount')) > 0n && one(part, 'Reason') !== ''),
    'line = quantity × price ÷ base quantity + charges − allowances': lines.every((line) => {
      const billed = one(line, 'SpecifiedLineTradeDelivery/BilledQuantity');
      const sign = billed.startsWith('-') ? -1n : 1n;
      const isBase = billed.replace('-', '') === one(line, `${price}/BasisQuantity`);
      const amount = cents(one(line, `${price}/ChargeAmount`));
      const priced = netOf(line) - adjustmentOf(line);
      return isBase ? priced === sign * amount : priced === 0n && amount === 0n;
    }),
    'BR-DEC': [...xml.matchAll(/Amount(?: [^>]*)?>-?\d+\.?(\d*)</g)].every(
      ([, decimals]) => decimals!.length <= 2,
    ),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

/** Returns the elements at a path of names without prefixes. */
function all(tree: Tree, path: string): Tree[] {
  return path.split('/').reduce<Tree[]>(
    (trees, name) =>
      trees.flatMap((node) =>
        Object.entries(node)
          .filter(([key]) => key.replace(/^[a-z]+:/, '') === name)
          .flatMap(([, value]) => value as Tree | readonly Tree[]),
      ),
    [tree],
  );
}

function one(tree: Tree, path: string): string {
  const [found, ...others] = all(tree, path) as unknown[];
  if (found === undefined || others.length > 0) throw new Error(`${path} is not there once`);
  return typeof found === 'string' ? found : (found as { '#': string })['#'];
}

function cents(text: string): bigint {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text)!;
  return BigInt(`${sign}${whole}${decimals.padEnd(2, '0')}`);
}

const setsAreEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item));

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
