import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignedCheckpointAudit } from '../../src/transparency/signed-checkpoint-audit.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';
import { TestWitness } from '../support/witness.js';

interface Shown {
  readonly note: string;
  readonly cosignatures: readonly object[];
}

const [witness, other] = [
  new TestWitness('witness.example/w1', 41),
  new TestWitness('witness.example/w2', 42),
];
let app: TestApp;
let signed: Shown;

const newest = async (): Promise<Shown> =>
  ((await app.request.get('/api/audit/checkpoints/?limit=1').expect(200)).body as [Shown])[0];
const named = () => app.service.app.get(SignedCheckpointAudit, { strict: false }).differences();

beforeAll(async () => {
  await witness.start();
  app = await startTestApp({ env: { AUDIT_WITNESSES: `${witness.key} ${witness.url}` } });
  witness.know((await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string);
  signed = (await app.request.post('/api/audit/checkpoints/').expect(201)).body as Shown;
  await until(async () => (await newest()).cosignatures.length === 1);
});
afterAll(async () => {
  await app.stop();
  await witness.stop();
});

describe('a cosignature in the database', () => {
  it('is as the witness made it', async () => {
    expect(await named()).toEqual([]);
  });

  it.each([
    ['that is none', () => 'hello', 'its line is no cosignature, and is left out of notes: delete the row'],
    ['with a line before it', () => `hello\n${witness.cosign(signed.note)}`, 'its line is no cosignature'],
    [
      'of another checkpoint',
      () => witness.cosign('other\n'),
      'the witness has not made it: the signature of',
    ],
    ['of another witness', () => other.cosign('other\n'), 'its line is of another witness'],
  ])('%s is named by the doctor', async (_, line, fault) => {
    await app.pool.query('create table kept as table transparency_cosignatures');
    try {
      await app.pool.query('update transparency_cosignatures set line = $1', [line()]);
      expect(await named()).toEqual([
        expect.stringMatching(
          new RegExp(
            `^cosignature of ${witness.name}\\+[0-9a-f]{8} for checkpoint 1 of organization ${app.org}: ${fault}`,
          ),
        ),
      ]);
      if (!fault.includes('no cosignature')) return;
      expect(await newest()).toMatchObject({ note: signed.note, cosignatures: [] });
      const latest = await app.request.get('/api/audit/checkpoints/latest/').expect(200);
      expect(latest.text).toBe(signed.note);
    } finally {
      // The worker would ask again for one that is missing.
      await app.pool.query(
        'update transparency_cosignatures c set line = kept.line from kept where (c.number, c.witness) = (kept.number, kept.witness)',
      );
      await app.pool.query('drop table kept');
    }
  });

  it('of a checkpoint that is gone is named', async () => {
    await app.pool.query(`insert into transparency_cosignatures
      select org, 9, witness, place, line, added_at from transparency_cosignatures`);
    expect(await named()).toEqual([expect.stringContaining('for checkpoint 9 of organization')]);
  });
});
