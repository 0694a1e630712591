import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readErasures } from '../../src/cli/erasures.js';
import { readCommand } from '../../src/cli/read-command.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const DESCRIPTION = 'For Zofia, who waited so long';
const GRANT = {
  customer_id: 'zofia',
  amount: 3,
  currency_code: 'USD',
  description: DESCRIPTION,
};

let folder: string;
let original: TestDatabase;
/** Copy of the stores from before the erasure. */
let backup: TestDatabase;
let restored: TestApp;
let list: string;

const grant = (app: TestApp) =>
  app.request.post('/api/credits/').set('Idempotency-Key', 'granted').send(GRANT).expect(201);
const everything = async (app: TestApp): Promise<string> => {
  const answers = [
    await app.request.get('/api/customers/').expect(200),
    await app.request.get('/api/invoices/').expect(200),
    await app.request.get('/api/credits/?customer_id=zofia').expect(200),
    await grant(app),
  ];
  return JSON.stringify(answers.map(({ body }) => body as unknown));
};

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'recount-erasures-'));
  list = path.join(folder, 'erasures.jsonl');
  original = await createTestDatabase('recount_with_read_models');
  const before = await startTestApp({ databaseUrl: original.url });
  const shop = shopOf(before);
  const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  for (const customer of ['zofia', 'stays']) {
    await shop.customer(customer, { customer_name: `Name of ${customer}`, email: `${customer}@example.com` });
    await shop.subscribe(customer, plan, '2026-01-01');
  }
  await grant(before);
  await before.stop();
  backup = await createTestDatabase(new URL(original.url).pathname.slice(1) as `test_${string}`);

  const after = await startTestApp({ databaseUrl: original.url });
  await after.request.post('/api/customers/zofia/erase/').expect(200);
  const { lines } = await recount(after, 'erasures', 'list', '--json');
  // The list as `npm run recount` prints it, after the lines of npm.
  writeFileSync(list, ['', '> recount@0.1.0 recount', '', ...lines, ''].join('\n'));
  await after.stop();

  restored = await startTestApp({ databaseUrl: backup.url });
});
afterAll(async () => {
  await restored.stop();
  await backup.drop();
  await original.drop();
  rmSync(folder, { recursive: true });
});

describe('recount erasures', () => {
  it('lists who was erased without naming anybody', async () => {
    const [erasure] = readErasures(list);
    expect(readErasures(list)).toEqual([
      { org: restored.org, customerKey: customerKeyOf(restored.org, 'zofia') },
    ]);
    const { lines } = await recount(restored, 'erasures', 'list');
    expect(lines).toEqual([]);
    expect(JSON.stringify(erasure)).not.toMatch(/zofia/i);
  });

  it('repeated after the restore of an older backup take the person out of everything again', async () => {
    expect(await everything(restored)).toMatch(/Name of zofia.*Zofia, who waited/s);

    const { lines, isWell } = await recount(restored, 'erasures', 'repeat', list);
    expect({ lines, isWell }).toEqual({ lines: ['1 erased, 0 not in this log'], isWell: true });

    const shown = await everything(restored);
    expect(shown).not.toMatch(/zofia/i);
    expect(shown).toContain('Name of stays');
    await restored.request.get('/api/customers/zofia/').expect(404);
    const again = { customer_id: 'next', email: 'zofia@example.com' };
    await restored.request.post('/api/customers/').send(again).expect(201);
    expect((await recount(restored, 'erasures', 'list')).lines).toEqual([
      expect.stringMatching(/^customer [0-9a-f-]{36} of org_[0-9a-f]{32}, 2026-01-01T00:00:00Z$/),
    ]);
    await verifyAll(restored);
  });

  it('are the same once more, and none of a customer who is not in the log', async () => {
    const unknown = {
      organization_id: `org_${'1'.repeat(32)}`,
      customer_key: customerKeyOf(restored.org, 'x'),
    };
    const longer = path.join(folder, 'longer.jsonl');
    writeFileSync(longer, [JSON.stringify(unknown), ...readErasures(list).map(asLine)].join('\n'));
    const { lines, isWell } = await recount(restored, 'erasures', 'repeat', longer);
    expect({ lines, isWell }).toEqual({ lines: ['1 erased, 1 not in this log'], isWell: true });
    await restored.request.post('/api/customers/').send({ customer_id: 'x' }).expect(201);
  });

  it('refuse a list that was cut short, or is none, before anything is done', async () => {
    for (const text of ['{"organization_id":"org_', '[]', 'null', '{"organization_id":"org_1"}', 'zofia']) {
      const file = path.join(folder, 'broken');
      writeFileSync(file, text);
      expect(() => readErasures(file)).toThrow(/^Line 1 of/);
    }
    for (const argv of [[], ['repeat'], ['repeat', 'a', 'b'], ['list', 'a'], ['forget', list]])
      await expect(readCommand(['erasures', ...argv])).rejects.toThrow(/recount erasures /);
  });
});

const asLine = ({ org, customerKey }: { org: string; customerKey: string }): string =>
  JSON.stringify({ organization_id: org, customer_key: customerKey });
