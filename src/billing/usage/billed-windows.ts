import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { Database } from '../../platform/database/open-database.js';

/** The latest count of a window that billing made, and the invoices with its lines. */
export interface BilledWindow {
  readonly chargeKey: string;
  readonly quantity: string;
  readonly windowEnd: Instant;
  readonly sealedUpTo: string;
  /** All invoices with lines for the window. */
  readonly invoiceIds: readonly Uuid[];
  /** The counts of the window, from the first to the latest. */
  readonly counts: readonly WindowCount[];
}

/** One count of a window. */
interface WindowCount {
  readonly windowEnd: Instant;
  /** Number of the last batch that is in it. */
  readonly sealedUpTo: string;
  readonly invoiceIds: readonly Uuid[];
}

interface Row extends Omit<BilledWindow, 'invoiceIds' | 'counts'> {
  readonly invoiceIds: readonly Uuid[] | null;
}

/** Finds what billing counted and charged for windows of usage, by charge key. */
@Injectable()
export class BilledWindows {
  constructor(private readonly database: Database) {}

  /** @param windows charge keys with the term that they charge and the start of the window */
  async find(
    org: Uuid,
    windows: readonly { readonly chargeKey: string; readonly term: Uuid; readonly start: Instant }[],
  ): Promise<ReadonlyMap<string, BilledWindow>> {
    if (windows.length === 0) return new Map();
    const { rows } = await this.database.pool.query<Row>({
      name: 'usage-billed-windows',
      text: BILLED,
      values: [
        org,
        windows.map(({ term }) => term),
        windows.map(({ start }) => start),
        windows.map(({ chargeKey }) => chargeKey),
      ],
    });
    const billed = new Map<string, BilledWindow>();
    for (const { invoiceIds, ...row } of rows) {
      const former = billed.get(row.chargeKey);
      const all = new Set([...(former?.invoiceIds ?? []), ...(invoiceIds ?? [])]);
      const count = { windowEnd: row.windowEnd, sealedUpTo: row.sealedUpTo, invoiceIds: invoiceIds ?? [] };
      billed.set(row.chargeKey, {
        ...row,
        invoiceIds: [...all],
        counts: [...(former?.counts ?? []), count],
      });
    }
    return billed;
  }
}

/** The latest count is the last row of its charge key. */
const BILLED = `
select c.charge_key as "chargeKey", c.quantity, c.window_end as "windowEnd", c.sealed_up_to as "sealedUpTo",
  charged.ids as "invoiceIds"
from (select distinct * from unnest($2::uuid[], $3::timestamptz[], $4::text[]) as w (term, starts, charge_key)) w
join usage_closes c on c.org = $1 and c.subscription_id = w.term and c.window_start = w.starts
  and c.charge_key = w.charge_key
cross join lateral (
  select array_agg(distinct l.invoice_id order by l.invoice_id) as ids
  from invoice_lines l join invoices i on i.org = l.org and i.invoice_id = l.invoice_id
  where l.org = $1 and l.subscription_id = c.subscription_id and l.close_id = c.close_id
    and i.payment_status <> 'voided'
) charged
order by c.charge_key, c.window_end, c.sealed_up_to,
  exists (select from usage_closes s where s.org = $1 and s.subscription_id = c.subscription_id
    and s.window_start = c.window_start and s.supersedes = c.close_id) desc, (charged.ids is not null), c.close_id`;
