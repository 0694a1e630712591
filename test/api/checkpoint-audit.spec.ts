import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Doctor } from '../../src/audit/doctor/doctor.js';
import { SignedCheckpointAudit } from '../../src/transparency/signed-checkpoint-audit.js';
import { TreeAudit } from '../../src/transparency/tree-audit.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  const shop = shopOf(app);
  await shop.metric({ metric_name: 'calls', event_name: 'call' });
  for (const customer of ['one', 'two', 'three']) {
    await shop.customer(customer);
    const event = { event_name: 'call', customer_id: customer, idempotency_id: customer, properties: {} };
    await app.request
      .post('/api/track/')
      .send({ batch: [{ ...event, time_created: '2026-01-01T00:00:00Z' }] })
      .expect(201);
    await app.request.post('/api/audit/checkpoints/').send({}).expect(201);
  }
});
afterAll(() => app.stop());

/** Returns the findings of the audits of checkpoints and trees after these statements, then restores the tables. */
async function saidOf(...statements: readonly string[]): Promise<string> {
  const tables = ['transparency_checkpoints', 'transparency_keys', 'transparency_batches'];
  for (const table of tables) await app.pool.query(`create table kept_${table} as table ${table}`);
  try {
    for (const statement of statements) await app.pool.query(statement);
    const audits = [app.service.app.get(SignedCheckpointAudit), app.service.app.get(TreeAudit)];
    const said: string[] = [];
    for (const audit of audits) said.push(...(await audit.differences()));
    return said.join('\n');
  } finally {
    for (const table of tables) {
      await app.pool.query(`delete from ${table}`);
      await app.pool.query(`insert into ${table} table kept_${table}`);
      await app.pool.query(`drop table kept_${table}`);
    }
  }
}

describe('stored checkpoints', () => {
  it('are as they were signed while nobody changes them, says the doctor too', async () => {
    expect(await saidOf()).toBe('');
    const examined: string[] = [];
    for await (const { invariant, violations } of app.service.app.get(Doctor).examine(0)) {
      if (violations.length > 0) examined.push(invariant, ...violations);
    }
    expect(examined).toEqual([]);
  });

  it.each([
    ['note', `note = replace(note, 'recount', 'rec0unt')`, /checkpoint 2 .*no key of the service has signed/],
    ['size', 'size = size + 1', /checkpoint 2 .*its note has \d+ leaves, its row \d+/],
    ['root', `root = sha256('x')`, /checkpoint 2 .*another root/],
    [
      'organization of the note',
      `note = replace(note, '/org_', '/org_f')`,
      /checkpoint 2 .*of another organization/,
    ],
    ['number', 'number = 9', /checkpoint 3 .*checkpoint 2 is missing before it/],
    ['time', `made_at = made_at + interval '1 day'`, /checkpoint 3 .*made before the checkpoint before it/],
  ])('are found when the %s of an earlier one is changed', async (_, change, sentence) => {
    expect(await saidOf(`update transparency_checkpoints set ${change} where number = 2`)).toMatch(sentence);
  });

  it('are found when one is missing, or another key is named as signer', async () => {
    expect(await saidOf('delete from transparency_checkpoints where number = 1')).toMatch(
      /checkpoint 1 is missing/,
    );
    expect(await saidOf(`update transparency_keys set public_key = sha256('x')`)).toMatch(
      /checkpoint 1 .*no key/,
    );
  });
});

it('the places of usage batches in the tree are found when they do not follow each other', async () => {
  const changes = ['last_number = last_number + 10', 'first_number = first_number + 10'];
  for (const change of changes) {
    for (const which of ['min', 'max']) {
      const place = `(select ${which}(leaf) from transparency_batches)`;
      const said = await saidOf(`update transparency_batches set ${change} where leaf = ${place}`);
      expect({ change, which, said }).toEqual({
        change,
        which,
        said: expect.stringMatching(/usage batch \d+ stands/),
      });
    }
  }
});
