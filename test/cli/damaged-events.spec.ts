import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openTools } from '../../src/cli/tools.js';
import { toWireId, type Uuid } from '../../src/kernel/ids.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recountIn } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { checkpointsAtHead } from '../support/stored.js';

/** Two accounts with two invoices each; an event of the second is damaged. */
describe('an event that cannot be read', () => {
  let database: TestDatabase;
  let orgs: readonly Uuid[];

  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    const app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z', databaseUrl: database.url });
    const shop = shopOf(app);
    const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
    for (const customer of ['intact', 'damaged']) {
      await shop.customer(customer);
      await shop.subscribe(customer, plan, '2026-01-01');
    }
    const credit = { customer_id: 'damaged', amount: 3, currency_code: 'USD' };
    await app.request.post('/api/credits/').send(credit).expect(201);
    await app.advance('2026-02-02T00:00:00Z');
    orgs = [app.org, (await anotherTenant(app)).org];
    await checkpointsAtHead(app);
    await app.stop();
    await database.pool.query('create schema kept; create table kept.events as table public.events');
    await database.pool.query('create table kept.checkpoints as table public.projection_checkpoints');
  });
  afterEach(async () => {
    await database.pool.query('delete from events; insert into events table kept.events');
    await database.pool.query(
      'delete from projection_checkpoints; insert into projection_checkpoints table kept.checkpoints',
    );
  });
  afterAll(() => database.drop());

  /** Runs commands as an operator does, without state from before the change. */
  async function run(...commands: readonly string[][]): Promise<{ text: string; isWell: boolean }[]> {
    const env = {
      DATABASE_URL: database.url,
      MASTER_KEY: '0'.repeat(64),
      CLOCK: 'manual',
      LOG_LEVEL: 'silent',
    };
    const tools = await openTools(readConfig(env));
    try {
      const printed = [];
      for (const command of commands) {
        const { lines, isWell } = await recountIn(tools.app, ...command);
        printed.push({ text: lines.join('\n'), isWell });
      }
      return printed;
    } finally {
      await tools.close();
    }
  }
  const verify = ['verify', '--all'];
  const doctor = ['doctor', '--sample', '9'];
  const status = ['projections', 'status'];

  it('is none at first', async () => {
    for (const { isWell } of await run(verify, doctor, status)) expect(isWell).toBe(true);
  });

  it.each([
    ['without metadata', `metadata = '{}'`],
    ['with null as metadata', `metadata = 'null'`],
    ['without data', `data = '{}'`],
    ['with null as data', `data = 'null'`],
    ['with an amount that is none', `data = jsonb_set(data::jsonb, '{amount,amount}', '"abc"')::json`],
    ['of an unknown type', `type = 'Foo'`],
  ])('%s is named, and everything else is checked', async (_, change) => {
    const { rows } = await database.pool.query<{ position: string; stream: string }>(
      `update events set ${change} where type = 'CreditGranted' returning position, stream`,
    );
    const { position, stream } = rows[0]!;
    const named = `event ${position}/${position} of ${stream} cannot be read: `;
    const [verified, examined, compared] = await run(verify, doctor, status);

    expect(verified).toMatchObject({ isWell: false, text: expect.stringContaining(named) });
    expect(verified!.text).toMatch(/^\d invoices computed again in .* s/m);
    expect(verified!.text).toMatch(/^numbers of \d days: /m);
    expect(examined!.isWell).toBe(false);
    expect(examined!.text).toContain(stream);
    expect(examined!.text).toMatch(/ read models equal the log \(\d invoices sampled\)$/m);
    expect(compared!.isWell).toBe(false);
    expect(compared!.text).toMatch(new RegExp(`DIFFERS FROM THE LOG: .*${stream}`));
  });

  it.each([
    ['whose stream has no organization', `stream = 'account-x.y'`],
    ['whose revision is below the first', 'revision = -1'],
  ])('%s ends no check', async (_, change) => {
    await database.pool.query(`update events set ${change} where type = 'CreditGranted'`);
    for (const { isWell, text } of await run(verify, doctor, status)) {
      expect(isWell).toBe(false);
      expect(text).toMatch(/^numbers of \d days|invoices sampled\)$|DIFFERS FROM THE LOG/m);
    }
  });

  it('ends no check where all of them are gone', async () => {
    await database.pool.query('delete from events');
    const [verified, examined, compared] = await run(verify, doctor, status);
    const ahead = /the read model credits is at \d+\/\d+, and the log is empty/;
    expect(verified).toMatchObject({ isWell: false, text: expect.stringMatching(ahead) });
    expect(verified!.text).toMatch(/invoice .+ is shown as 260201-000001, in the log without number/);
    expect(verified!.text).toMatch(/^no invoice could be computed again: what is named above is missing/m);
    expect(verified!.text).not.toContain('nothing to verify');
    expect(examined).toMatchObject({ isWell: false, text: expect.stringMatching(ahead) });
    expect(compared!.isWell).toBe(false);
    expect(compared!.text).toMatch(/^credits: .* AHEAD OF THE LOG$/m);
    expect(compared!.text).toMatch(/^credits: DIFFERS FROM THE LOG: credits: .*this one is empty/m);
  });

  it('ends no check where no build of a read model is live', async () => {
    await database.pool.query(
      `update projection_checkpoints set live = false where projection in ('credits', 'customers')`,
    );
    const [, examined, compared] = await run(verify, doctor, status);
    for (const table of ['credits', 'customers']) {
      expect(examined!.text).toContain(`${table}: none of its builds is live`);
      expect(compared!.text).toContain(`DIFFERS FROM THE LOG: ${table}: none of its builds is live`);
    }
  });

  it('of one organization leaves the others in the list of organizations', async () => {
    const [damaged, intact] = orgs.map((org) => toWireId('org', org));
    await database.pool.query(
      `update events set type = 'Foo' where type = 'OrganizationCreated' and stream like $1`,
      [`organization-${orgs[0]}.%`],
    );
    const [listed, asJson] = await run(['organization', 'list'], ['organization', 'list', '--json']);
    expect(listed!.isWell).toBe(false);
    expect(listed!.text).toMatch(new RegExp(`^${damaged} .* UNREADABLE: .*Foo`, 'm'));
    expect(listed!.text).toMatch(new RegExp(`^${intact} .* "Another"$`, 'm'));
    expect(asJson!.text).toMatch(/"name":null,"unreadable":".*Foo/);
  });
});
