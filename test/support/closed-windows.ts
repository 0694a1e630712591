import { BilledWindows } from '../../src/billing/usage/billed-windows.js';
import { usagePartsOf, type UsagePart } from '../../src/billing/usage/usage-parts.js';
import { UsageTerms } from '../../src/billing/usage/usage-terms.js';
import { instant } from '../../src/kernel/instant.js';
import { quantity, readExactText, type Quantity } from '../../src/kernel/quantity.js';
import { LiveUsageReader } from '../../src/metering/live-usage-reader.js';
import type { TestApp } from './app.js';

const RANGE = { start: instant('2025-01-01'), end: instant('2027-01-01') };

/** Quantities by window on lines of invoices that are not voided. */
const LINES = `select c.charge_key as key, sum(l.quantity)::text as quantity from usage_closes c
  join invoice_lines l on l.org = c.org and l.close_id = c.close_id and l.subscription_id = c.subscription_id
  join invoices i on i.org = l.org and i.invoice_id = l.invoice_id
  where i.payment_status <> 'voided' group by c.charge_key`;

/** A billing window with its usage as shown, as billed and as invoiced. */
export interface ClosedWindow {
  readonly part: UsagePart;
  readonly shown: Quantity;
  readonly billed: Quantity;
  /** Undefined when the window has no line. */
  readonly onLines: Quantity | undefined;
}

/** Finds the closed windows of all customers, each with its usage as `GET /api/usage/` computes it. */
export async function closedWindows({ service, pool }: TestApp): Promise<ClosedWindow[]> {
  const [terms, billing, usage] = [UsageTerms, BilledWindows, LiveUsageReader].map((token) =>
    service.app.get(token as never, { strict: false }),
  ) as [UsageTerms, BilledWindows, LiveUsageReader];
  const { rows: lines } = await pool.query<{ key: string; quantity: string }>(LINES);
  const onLines = new Map(lines.map((line) => [line.key, quantity(line.quantity)]));
  const { rows: customers } = await pool.query<{ org: string; key: string }>(
    'select distinct org, customer_key as key from subscriptions',
  );
  const found: ClosedWindow[] = [];
  for (const { org, key: customerKey } of customers) {
    const parts = usagePartsOf(await terms.load(org, [customerKey], RANGE), RANGE, 'window');
    const counted = await billing.find(
      org,
      parts.map(({ window, need }) => ({
        chargeKey: window.chargeKey,
        term: need.subscriptionId,
        start: window.segment.start,
      })),
    );
    const closed = parts.filter(
      ({ window }) => (counted.get(window.chargeKey)?.windowEnd ?? '') >= window.segment.end,
    );
    const counts = await usage.countLive(
      org,
      closed.map(({ need: { definition, filters, window, basis } }) => ({
        customerKey,
        definition,
        filters,
        window,
        ...(basis && { basis }),
      })),
    );
    for (const [index, part] of closed.entries()) {
      found.push({
        part,
        shown: readExactText(counts[index]!.quantity),
        billed: quantity(counted.get(part.window.chargeKey)!.quantity),
        onLines: onLines.get(part.window.chargeKey),
      });
    }
  }
  return found;
}
