import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IssuedInvoice } from '../../src/billing/accounts/issued-invoice.js';
import { InvoiceVerifier } from '../../src/billing/verification/invoice-verifier.js';
import { UsageAuditor } from '../../src/metering/usage-auditor.js';
import { storedBooks, storedEdges } from '../books/books.js';
import { startOnBooks, startOnWholeBooks } from '../books/opened-books.js';
import type { TestApp } from '../support/app.js';
import { rulesMetBy, withOtherRule } from '../support/former-rule.js';
import { recount } from '../support/recount.js';

/** Number of invoices that are verified before the next ones: most rules are noticed among the first. */
const AT_ONCE = 25;

describe.each(storedBooks())('the books that policy %s wrote', (name) => {
  let app: TestApp;
  /** Small books that meet the rules that the others do not. */
  let edges: readonly TestApp[];

  beforeAll(async () => {
    app = await startOnWholeBooks(name);
    edges = await Promise.all(storedEdges(name).map((one) => startOnBooks(one)));
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all(edges.map((books) => books.stop()));
  });

  it('verify, every invoice, with the rules of that policy', async () => {
    const { lines, isWell } = await recount(app, 'verify', '--all');
    expect(lines).toEqual([
      expect.stringMatching(/^\d{3,} invoices computed again in \S+ s: all as issued$/),
      expect.stringMatching(/^numbers of \d+ days: without gap or repeat, as they were assigned$/),
    ]);
    expect(isWell).toBe(true);
    [...edges, app].forEach(rememberCounts);
    expect(await isNoticedBy(edges)).toBe(false);
  });

  it.each(rulesMetBy(name))('notice that the rule $name is that of another policy', async (rule) => {
    // Random histories do not meet every rule; the edges are written for the others.
    const isNoticed = await withOtherRule(rule, name, () => isNoticedBy([...edges, app]));
    expect(isNoticed).toBe(true);
  });
});

/** Remembers counts of usage, whose results never change: every rule is tried on the same usage. */
function rememberCounts({ service }: TestApp): void {
  const auditor = service.app.get(UsageAuditor, { strict: false });
  const countMany = remembering(auditor.countMany.bind(auditor));
  const countDeltas = remembering(auditor.countDeltas.bind(auditor));
  Object.assign(auditor, { countMany, countDeltas });
}

function remembering<Asked, Count>(count: (asked: readonly Asked[]) => Promise<readonly Count[]>) {
  const known = new Map<string, Promise<Count>>();
  return (asked: readonly Asked[]): Promise<Count[]> =>
    Promise.all(
      asked.map((one) => {
        const key = JSON.stringify(one, (_, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        const counted = known.get(key) ?? count([one]).then(([found]) => found!);
        known.set(key, counted);
        return counted;
      }),
    );
}

/** Verifies invoices, a few at a time, until one is not as issued. */
async function isNoticedBy(allBooks: readonly TestApp[]): Promise<boolean> {
  for (const { pool, service } of allBooks) {
    // Few accounts at a time: an account is read for each part that has invoices of it.
    const { rows } = await pool.query<IssuedInvoice>(
      `select org, invoice_id, invoice_number, customer_key, currency, issued_at, computed_revision
       from invoices where invoice_number is not null order by customer_key, currency, invoice_number`,
    );
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const verify = service.app.get(InvoiceVerifier, { strict: false }).begin({ isAlone: false });
      const part = rows.slice(from, from + AT_ONCE);
      const verified = await Promise.all(part.map(verify));
      if (verified.some(({ ok }) => !ok)) return true;
    }
  }
  return false;
}
