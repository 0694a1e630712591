import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseNote, parseVerifierKey, signaturesBy } from '../../src/transparency/domain/note.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { sha256, verifyEd25519 } from '../support/transparency.js';
import { until } from '../support/until.js';
import { warningsOf } from '../support/warnings.js';

/** Expects that a checkpoint is refused, that readiness and `doctor` give this reason, and that billing continues. */
async function expectFault(app: TestApp, sentence: RegExp): Promise<void> {
  const refused = await app.request.post('/api/audit/checkpoints/').expect(409);
  expect(refused.body.detail).toMatch(sentence);
  expect(await warningsOf(app)).toEqual([refused.body.detail]);
  const { isWell, lines } = await recount(app, 'doctor');
  expect(lines.join('\n')).toContain(refused.body.detail);
  expect(isWell).toBe(false);
  const shop = shopOf(app);
  const before = (await shop.invoices()).length;
  const planId = await shop.plan(`Basic ${before}`, { recurring_charges: [aChargeBody()] });
  const customer = `during-${before}`;
  await shop.customer(customer);
  await shop.subscribe(customer, planId, '2026-01-01');
  expect(await shop.invoices()).toHaveLength(before + 1);
}

describe('no checkpoint is signed, billing continues, readiness and doctor say why', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recount-keys-'));
  const file = path.join(folder, 'audit.key');
  let database: TestDatabase;
  let app: TestApp;
  const start = async () => {
    app = await startTestApp({ databaseUrl: database.url, env: { AUDIT_KEYS_FILE: file } });
  };
  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    await start();
  });
  afterAll(async () => {
    await app.stop();
    dropEventLog(database.url);
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const sign = () => app.request.post('/api/audit/checkpoints/').expect(201);
  const expectWell = async () => {
    await sign();
    // The worker may note the fault once more while it is mended.
    await until(async () => (await warningsOf(app)).length === 0);
  };

  it('while the signing key is lost', async () => {
    await expectFault(app, /^The signing key of checkpoints is not in .*audit\.key\./);
    writeFileSync(file, Buffer.alloc(32, 7).toString('base64'));
    await expectWell();
  });

  it('while the clock is before the newest checkpoint', async () => {
    await sign();
    await shopOf(app).customer('after-the-checkpoint');
    const move = (interval: string) =>
      app.pool.query(
        `update transparency_checkpoints c set made_at = made_at + $1::interval
          where number = (select max(number) from transparency_checkpoints n where n.org = c.org)`,
        [interval],
      );
    await move('1 day');
    await expectFault(app, /^The clock has gone back: the newest checkpoint was made at 2026-01-02T/);
    await move('-1 day');
    await expectWell();
  });

  it('while the tree holds more than the log', async () => {
    const move = (by: number) =>
      app.pool.query('update transparency_progress set commit = commit + $1', [by]);
    await sign();
    await move(1_000_000);
    await expectFault(app, /^The event log ends before the events that the trees hold\./);
    await move(-1_000_000);
    await expectWell();
  });

  it('while the newest event of the tree is not in the log', async () => {
    await sign();
    await app.pool.query('update transparency_trees set last_revision = last_revision + 1000000');
    await expectFault(app, /^The newest event of the tree is not in the log as it was recorded\./);
    // The worker may have appended events of billing, of which the newest is in the log.
    await app.pool.query(
      'update transparency_trees set last_revision = last_revision - 1000000 where last_revision >= 1000000',
    );
    await expectWell();
  });

  it('while the trees follow another event store', async () => {
    await sign();
    const { rows } = await app.pool.query<{ store: string }>('select store from transparency_progress');
    const follow = (store: string) => app.pool.query('update transparency_progress set store = $1', [store]);
    await follow(randomUUID());
    await expectFault(app, /^The trees follow another event store than the one that is connected\./);
    await follow(rows[0]!.store);
    await expectWell();
  });

  it('but signs on when the key is rotated with an overlap and a restart in between', async () => {
    const before = (await sign()).body as { note: string; size: number };
    await app.stop();
    writeFileSync(file, [8, 7].map((byte) => Buffer.alloc(32, byte).toString('base64')).join('\n'));
    await start();
    await shopOf(app).customer('after-the-rotation');
    const { note, size } = (await sign()).body as { note: string; size: number };
    const listed = (await app.request.get('/api/audit/keys/').expect(200)).body as { verifier_key: string }[];
    const keys = listed.map(({ verifier_key: key }) => parseVerifierKey(sha256, key));
    const signers = (text: string) => signaturesBy(parseNote(text), keys, verifyEd25519).length;
    expect([signers(before.note), signers(note)]).toEqual([1, 2]);
    expect(size).toBeGreaterThan(before.size);
    await expectWell();
  });
});

describe('a signing key that the first start made', () => {
  it('is readable by its owner alone, and missed at the next start without being asked for', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'recount-made-key-'));
    const file = path.join(folder, 'audit-signing.key');
    const database = await createTestDatabase('recount_with_read_models');
    const start = () => startTestApp({ databaseUrl: database.url, env: { DATA_DIR: folder } });
    let app = await start();
    try {
      await app.request.post('/api/audit/checkpoints/').expect(201);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      await app.stop();
      const key = readFileSync(file);
      rmSync(file);
      app = await start();
      const warnings = () => warningsOf(app);
      await until(async () => (await warnings()).length > 0);
      expect(await warnings()).toEqual([
        expect.stringMatching(/^The signing key of checkpoints is not in .*audit-signing\.key\. Put it back/),
      ]);
      await expectFault(app, /^The signing key of checkpoints is not in .*audit-signing\.key\./);
      writeFileSync(file, key);
      await app.request.post('/api/audit/checkpoints/').expect(201);
      expect(await warnings()).toEqual([]);
    } finally {
      await app.stop();
      dropEventLog(database.url);
      await database.drop();
      rmSync(folder, { recursive: true });
    }
  });
});
