import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { prepaidShopOf, prorate } from '../support/prepaid-shop.js';
import { recount } from '../support/recount.js';

/** Each test changes one event of the log, verifies, and restores the event. */
describe('verifying what steers later runs', () => {
  let app: TestApp;
  let shop: ReturnType<typeof prepaidShopOf>;
  let number: string;
  let voidedNumber: string;
  let reduced: string;

  /**
   * `payer` pays a fee in advance for ten months, and one of the invoices is voided; `quiet` owes nothing. An invoice of
   * `reduced` is voided after another one took something off it.
   */
  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = prepaidShopOf(app);
    const components = [aComponentBody(await shop.theMetric())];
    const flat = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })], components });
    const metered = await shop.plan('Metered', { recurring_charges: [], components });
    await shop.customer('payer');
    await shop.customer('quiet');
    await shop.subscribe('payer', flat, '2026-01-01');
    await shop.subscribe('quiet', metered, '2026-01-01');
    await app.advance('2026-01-11T00:00:00Z');
    reduced = await voidReduced();
    for (let month = 2; month <= 10; month += 1) {
      await app.advance(`2026-${String(month).padStart(2, '0')}-02T00:00:00Z`);
    }
    const invoices = await shop.invoices('?customer_id=payer');
    number = invoices[0].invoice_number;
    voidedNumber = invoices[1].invoice_number;
    await app.request.post(`/api/invoices/${invoices[1].invoice_id}/void/`).send({}).expect(200);
  });
  afterAll(() => app.stop());

  /** @returns the customer's id */
  const voidReduced = async (): Promise<string> => {
    const { customer, id } = await shop.subscribed(prorate(31));
    const path = `/api/subscriptions/${id}/components/${await shop.theMetric()}/change_prepaid_units/`;
    for (const units of [93, 60]) await app.request.post(path).send({ units }).expect(200);
    const invoices: { invoice_id: string; cost_due: number }[] = await shop.invoicesOf(customer);
    const open = invoices.find(({ cost_due: due }) => due > 0)!;
    await app.request.post(`/api/invoices/${open.invoice_id}/void/`).send({}).expect(200);
    return customer;
  };

  const verifyAll = async () => {
    const { lines, isWell } = await recount(app, 'verify', '--all');
    return { said: lines.join('\n'), isWell };
  };

  /** Returns the last event of a type in the streams whose name contains `stream`. */
  const lastOf = async (type: string, stream: string) => {
    const { rows } = await app.pool.query<{ position: string; data: Record<string, unknown> }>(
      'select position, data from events where stream like $1 and type = $2 order by position desc limit 1',
      [`%${stream}%`, type],
    );
    return rows[0]!;
  };
  const keyOf = (customer: string) => customerKeyOf(app.org, customer);

  /** Verifies while one value of an event is changed, then restores the event. */
  async function whileRewritten(
    type: string,
    stream: string,
    path: string,
    value: string,
    look: () => Promise<void>,
  ) {
    const { position, data } = await lastOf(type, stream);
    // Selects the only term that is billed again.
    const due = (data['terms'] as { nextDueAt: string | null }[] | undefined)?.findIndex(
      (it) => it.nextDueAt,
    );
    await app.pool.query(`create table undamaged as select * from events where position = ${position}`);
    try {
      await app.pool.query(
        'update events set data = jsonb_set(data::jsonb, $2::text[], $3::jsonb)::json where position = $1',
        [position, path.replace('terms,due', `terms,${due}`), value],
      );
      await look();
    } finally {
      await app.pool.query(
        'update events e set data = u.data from undamaged u where e.position = u.position',
      );
      await app.pool.query('drop table undamaged');
    }
  }

  it('finds nothing when nothing was touched', async () => {
    const { said, isWell } = await verifyAll();
    expect(said).toMatch(
      /^\d+ invoices computed again in [\d.]+ s: all as issued\nnumbers of \d+ days: without/,
    );
    expect(isWell).toBe(true);
  });

  it.each([
    ['nextDueAt', 'null'],
    ['settled', 'true'],
  ])('tells that %s of a term was changed in an invoice', async (field, value) => {
    await whileRewritten('InvoiceComputed', keyOf('payer'), `{terms,due,${field}}`, value, async () => {
      const { ok, differences } = await shop.verify(number);
      expect(ok).toBe(false);
      expect(differences).toEqual([
        expect.stringMatching(new RegExp(`^term .*: stored .*"${field}":${value}.*, recomputed `)),
      ]);
      expect((await verifyAll()).said).toContain(`"${field}":${value}`);
    });
  });

  it.each([
    ['nextDueAt', 'null'],
    ['settled', 'true'],
    ['revision', '"77"'],
  ])('tells that %s of a term was changed in a run that found nothing', async (field, value) => {
    await whileRewritten('NothingDue', keyOf('quiet'), `{terms,due,${field}}`, value, async () => {
      const { said, isWell } = await verifyAll();
      expect(isWell).toBe(false);
      expect(said).toMatch(/account-.* differs:\n {2}run .* term /);
    });
  });

  it('tells that a snapshot of an account is not what the events before it come to', async () => {
    await whileRewritten(
      'AccountCarriedForward',
      keyOf('payer'),
      '{terms,due,nextDueAt}',
      'null',
      async () => {
        const { said, isWell } = await verifyAll();
        expect(isWell).toBe(false);
        expect(said).toMatch(
          / {2}snapshot at revision \d+: its terms are not what the events before it come to/,
        );
      },
    );
  });

  it('tells that a term is not due again after its invoice was voided', async () => {
    await whileRewritten('InvoiceVoided', keyOf('payer'), '{terms,due,nextDueAt}', 'null', async () => {
      expect((await verifyAll()).said).toMatch(/ {2}term .* is not due again after invoice .* was voided/);
    });
  });

  it.each([
    ['{charges,0,base,amount}', '"1"'],
    ['{charges}', '[]'],
  ])('tells that %s of a void is not what the invoice had charged', async (path, value) => {
    await whileRewritten('InvoiceVoided', keyOf('payer'), path, value, async () => {
      const { said, isWell } = await verifyAll();
      expect(isWell).toBe(false);
      expect(said).toContain(`  ${voidedNumber} was voided and takes back other amounts than it had charged`);
    });
  });

  it('tells that a void leaves out a term that the invoice had charged', async () => {
    await whileRewritten('InvoiceVoided', keyOf('payer'), '{terms}', '[]', async () => {
      const { said, isWell } = await verifyAll();
      expect(isWell).toBe(false);
      expect(said).toMatch(
        new RegExp(` {2}term .* is not due again after invoice ${voidedNumber} was voided`),
      );
    });
  });

  it('tells that a void granted another credit than the invoice had been reduced by', async () => {
    await whileRewritten('CreditGranted', keyOf(reduced), '{amount,amount}', '"1000000"', async () => {
      const { said, isWell } = await verifyAll();
      expect(isWell).toBe(false);
      expect(said).toMatch(
        / {2}credit .*: granted were 1000000 USD, the voided invoice had been reduced by 2\d{3}\n/,
      );
    });
  });

  it('tells that a number was assigned to another result', async () => {
    await whileRewritten(
      'NumbersAssigned',
      `.${number.slice(0, 6)}`,
      '{assignments,0,resultHash}',
      `"${'0'.repeat(64)}"`,
      async () => {
        const { ok, differences } = await shop.verify(number);
        expect(ok).toBe(false);
        expect(differences).toEqual([
          expect.stringMatching(new RegExp(`^${number} was assigned to result hash 0{64}, the invoice has `)),
          `the chain of the day breaks at ${number}`,
        ]);
        expect((await verifyAll()).said).toContain(`${number} was assigned to result hash 000`);
      },
    );
  });

  it('tells that the chain of a day was changed', async () => {
    const day = `.${number.slice(0, 6)}`;
    await whileRewritten('NumbersAssigned', day, '{assignments,0,chainHash}', '"00"', async () => {
      expect((await shop.verify(number)).differences).toEqual([`the chain of the day breaks at ${number}`]);
      expect((await verifyAll()).said).toContain(`the chain of the day breaks at ${number}`);
    });
  });

  it('verifies the invoices of the log, and tells which of them the read model does not show', async () => {
    const before = (await verifyAll()).said.split(' ')[0];
    await app.pool.query('create table kept as select * from invoices where invoice_number = $1', [number]);
    await app.pool.query('delete from invoices where invoice_number = $1', [number]);
    const { said, isWell } = await verifyAll();
    await app.pool.query('insert into invoices select * from kept');
    await app.pool.query('drop table kept');
    expect(isWell).toBe(false);
    expect(said).toMatch(new RegExp(`^invoice .*, issued as ${number}, is not shown\n${before} invoices`));
  });
});
