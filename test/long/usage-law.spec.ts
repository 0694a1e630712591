import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BilledWindows } from '../../src/billing/usage/billed-windows.js';
import { usagePartsOf, type UsagePart } from '../../src/billing/usage/usage-parts.js';
import { UsageTerms } from '../../src/billing/usage/usage-terms.js';
import { usageCharge } from '../../src/billing/rating/charges.js';
import { instant } from '../../src/kernel/instant.js';
import { quantity, readExactText, toDecimalText, type Quantity } from '../../src/kernel/quantity.js';
import { UsageReader } from '../../src/metering/usage-reader.js';
import { keptBooks } from '../books/books.js';
import { openedBooks } from '../books/opened-books.js';
import type { TestApp } from '../support/app.js';

const RANGE = { start: instant('2025-01-01'), end: instant('2027-01-01') };

/** Quantities of lines have ten decimals, and several lines of a window are summed. */
const CLOSE = 1e-9;

const numberOf = (one: Quantity): number => Number(toDecimalText(one));

/** Quantities on the lines of invoices that were not voided, by window. */
const LINES = `select c.charge_key as key, sum(l.quantity)::text as quantity from usage_closes c
  join invoice_lines l on l.org = c.org and l.close_id = c.close_id and l.subscription_id = c.subscription_id
  join invoices i on i.org = l.org and i.invoice_id = l.invoice_id
  where i.payment_status <> 'voided' group by c.charge_key`;

interface Closed {
  readonly part: UsagePart;
  readonly shown: Quantity;
  readonly billed: Quantity;
  /** Undefined: no line. */
  readonly onLines: Quantity | undefined;
}

/** Policy 2026-1 shares a `total` by the billing period as cut: a cancellation changes the share of windows counted before it. */
const isSharedByCutPeriod = ({ runTerm: { term }, need: { definition } }: UsagePart): boolean =>
  term.basis.policy === '2026-1' && definition.granularity === 'total' && !term.scheduledEnd;

/** Five months of 75 customers with every kind of metric, switch, late usage and void. */
describe.each(keptBooks())('over the books of policy %s', (name) => {
  let app: TestApp;
  let windows: Closed[];

  beforeAll(async () => {
    app = await openedBooks(name);
    windows = await closedWindows(app);
  });
  afterAll(() => app.stop());

  it("a closed window's usage is what billing counted last", () => {
    expect(windows.length).toBeGreaterThan(700);
    const differing = windows
      .filter(({ part }) => !isSharedByCutPeriod(part))
      .map(({ shown, billed, part }) => [toDecimalText(shown), toDecimalText(billed), part.window.chargeKey])
      .filter(([shown, billed]) => shown !== billed);
    expect(differing).toEqual([]);
  });

  it('it is the quantity of its invoice lines, but for usage that costs nothing and has no line', () => {
    const differing = windows.filter(
      ({ billed, onLines }) => !onLines || Math.abs(numberOf(billed) - numberOf(onLines)) > CLOSE,
    );
    expect(differing.length).toBeLessThan(windows.length / 20);
    for (const { part, billed, onLines = quantity('0') } of differing) {
      const costOf = (used: Quantity) =>
        usageCharge(part.window.source.component, used, part.period, part.runTerm).exact;
      expect(toDecimalText(costOf(billed))).toBe(toDecimalText(costOf(onLines)));
    }
  });
});

async function closedWindows({ service, pool }: TestApp): Promise<Closed[]> {
  const [terms, billing, usage] = [UsageTerms, BilledWindows, UsageReader].map((token) =>
    service.app.get(token as never, { strict: false }),
  ) as [UsageTerms, BilledWindows, UsageReader];
  const { rows: lines } = await pool.query<{ key: string; quantity: string }>(LINES);
  const onLines = new Map(lines.map((line) => [line.key, quantity(line.quantity)]));
  const { rows: customers } = await pool.query<{ org: string; key: string }>(
    'select distinct org, customer_key as key from subscriptions',
  );
  const found: Closed[] = [];
  for (const { org, key: customerKey } of customers) {
    const parts = usagePartsOf(await terms.load(org, [customerKey], RANGE), RANGE, 'window');
    const counted = await billing.find(
      org,
      parts.map(({ window, need }) => ({
        ...{ chargeKey: window.chargeKey, term: need.subscriptionId, start: window.segment.start },
      })),
    );
    const closed = parts.filter(
      ({ window }) => (counted.get(window.chargeKey)?.windowEnd ?? '') >= window.segment.end,
    );
    const counts = await usage.countLive(
      org,
      closed.map(({ need: { definition, filters, window, basis } }) => ({
        ...{ customerKey, definition, filters, window },
        ...(basis && { basis }),
      })),
    );
    for (const [place, part] of closed.entries()) {
      found.push({
        part,
        shown: readExactText(counts[place]!.quantity),
        billed: quantity(counted.get(part.window.chargeKey)!.quantity),
        onLines: onLines.get(part.window.chargeKey),
      });
    }
  }
  return found;
}
