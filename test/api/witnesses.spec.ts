import { QueryBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Doctor } from '../../src/audit/doctor/doctor.js';
import { toWireId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { beforeRowsSince } from '../../src/platform/database/noted-rows.js';
import { SignedCheckpoints } from '../../src/transparency/signed-checkpoints.js';
import { cosignatureBy, parseWitnessKey } from '../../src/transparency/domain/cosignature.js';
import { parseNote } from '../../src/transparency/domain/note.js';
import { ListNotedCheckpoints } from '../../src/transparency/queries/checkpoint-queries.js';
import { Cosigner } from '../../src/transparency/witnesses/cosigner.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { checkpointIds, setCheckpointAge } from '../support/checkpoint-table.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { sha256, verifyEd25519 } from '../support/transparency.js';
import { until } from '../support/until.js';
import { TestWitness } from '../support/witness.js';
import { warningsOf } from '../support/warnings.js';

interface Shown {
  readonly number: number;
  readonly size: number;
  readonly note: string;
  readonly cosignatures: { witness: string; key_id: string; cosigned_at: string }[];
}

const directory = mkdtempSync(path.join(tmpdir(), 'cosigned-'));
const [first, second, stranger] = ['witness.example/w1', 'witness.example/w2', 'witness.example/w3'].map(
  (name, index) => new TestWitness(name, 11 + index),
) as [TestWitness, TestWitness, TestWitness];
const witnesses = [first, second, stranger];
let app: TestApp;
let origin: string;
let logKey: string;
beforeAll(async () => {
  for (const witness of witnesses) await witness.start();
  app = await startTestApp({
    env: {
      AUDIT_DIRECTORY: directory,
      AUDIT_WITNESSES: `${first.key} ${first.url}/\n${second.key} ${second.url}`,
    },
  });
  origin = `recount/${toWireId('org', app.org)}`;
  logKey = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
});
beforeEach(() => {
  for (const witness of witnesses) {
    witness.answering = undefined;
    witness.now = () => Math.floor(Date.now() / 1_000);
    witness.know(logKey);
    witness.requests.length = 0;
  }
});
afterAll(async () => {
  await app.stop();
  for (const witness of witnesses) await witness.stop();
  rmSync(directory, { recursive: true });
});

let customers = 0;
/** Signs a checkpoint that covers a new event. */
async function sign(): Promise<Shown> {
  await shopOf(app).customer(`customer-${customers++}`);
  return (await app.request.post('/api/audit/checkpoints/').expect(201)).body as Shown;
}
const shown = async (number: number): Promise<Shown> =>
  ((await app.request.get('/api/audit/checkpoints/?limit=1000').expect(200)).body as Shown[]).find(
    (one) => one.number === number,
  )!;
const namesOf = ({ cosignatures }: Shown): string[] => cosignatures.map(({ witness }) => witness).sort();
const cosigned = (number: number, ...by: readonly TestWitness[]) =>
  until(async () => namesOf(await shown(number)).join() === by.map(({ name }) => name).join());
const warnings = () => warningsOf(app);
/** Returns the findings of the doctor about witnesses, without the later checks: retry delays grow during them. */
async function saidByDoctor(): Promise<readonly string[]> {
  for await (const { invariant, violations } of app.service.app.get(Doctor, { strict: false }).examine(0)) {
    if (invariant === 'witnesses cosign checkpoints') return violations;
  }
  throw new Error('The doctor does not examine it.');
}
const newest = async (): Promise<Shown> =>
  ((await app.request.get('/api/audit/checkpoints/?limit=1').expect(200)).body as [Shown])[0];
async function announced(): Promise<string[]> {
  const query = new ListNotedCheckpoints(app.org, beforeRowsSince(instant('2000-01-01')));
  return (await app.service.app.get(QueryBus).execute(query)).map(({ id }) => id);
}

describe('witnesses', () => {
  it('cosign each newest checkpoint, which the API, the directory, proofs and webhooks then show', async () => {
    const signed = await sign();
    expect(signed.cosignatures).toEqual([]);
    await cosigned(signed.number, first, second);
    const kept = await shown(signed.number);
    expect(kept.note.startsWith(signed.note)).toBe(true);
    for (const witness of [first, second]) {
      const key = parseWitnessKey(sha256, witness.key);
      const { time } = cosignatureBy(parseNote(kept.note), key, verifyEd25519)!;
      const listed = kept.cosignatures.find(({ witness: name }) => name === witness.name)!;
      expect(Date.parse(listed.cosigned_at)).toBe(time * 1_000);
      expect(witness.headOf(origin)!.size).toBe(signed.size);
    }
    const { text } = await app.request.get('/api/audit/checkpoints/latest/').expect(200);
    expect(text).toBe(kept.note);
    expect((await app.request.get('/api/audit/proofs/?position=0').expect(200)).text).toContain(kept.note);
    const file = (cosignatures: string) =>
      readFileSync(
        path.join(
          directory,
          toWireId('org', app.org),
          `${String(signed.number).padStart(12, '0')}${cosignatures}.checkpoint`,
        ),
        'utf8',
      );
    await until(() => {
      try {
        return file('-2') === kept.note;
      } catch {
        return false;
      }
    });
    expect(kept.note.startsWith(file(''))).toBe(true);
  });

  it('are asked for a checkpoint with the proof that it continues what they cosigned last', async () => {
    const before = await sign();
    await cosigned(before.number, first, second);
    first.requests.length = 0;
    const after = await sign();
    await cosigned(after.number, first, second);
    // On a busy machine a request may time out and be repeated.
    expect(first.requests[0]).toMatch(new RegExp(`^old ${before.size}\n([^\n]{44}\n)+\n`));
  });

  it('leave the signed bytes of a checkpoint as they are', async () => {
    const signed = await sign();
    await cosigned(signed.number, first, second);
    const { rows } = await app.pool.query(
      'select note from transparency_checkpoints where org = $1 and number = $2',
      [app.org, signed.number],
    );
    expect(rows).toEqual([{ note: signed.note }]);
  });

  it('that are away stop neither checkpoints nor billing, and are told by readiness and doctor', async () => {
    first.answering = () => ({ status: 503 });
    const { number } = await sign();
    await cosigned(number, second);
    const sentence =
      'The witness witness.example/w1 answered 503; it is asked again. Checkpoints are signed without its cosignature.';
    await until(async () => (await warnings()).length > 0);
    expect(await warnings()).toEqual([sentence]);
    expect(await saidByDoctor()).toEqual([sentence]);
    const shop = shopOf(app);
    const planId = await shop.plan('Basic', { recurring_charges: [aChargeBody()] });
    await shop.subscribe('customer-0', planId, '2026-01-01');
    expect(await shop.invoices()).toHaveLength(1);
    const later = await sign();
    expect(later.size).toBeGreaterThan(0);
    first.answering = undefined;
    // The billing run may have signed a newer checkpoint, and witnesses are asked for the newest one.
    await until(async () => namesOf(await newest()).length === 2);
    await until(async () => (await warnings()).length === 0);
    expect(await saidByDoctor()).toEqual([]);
    expect(namesOf(await shown(number))).toEqual([second.name]);
  });

  it('hold back a webhook for seconds only', async () => {
    first.answering = () => new Promise(() => undefined);
    const { number } = await sign();
    await cosigned(number, second);
    await setCheckpointAge(app, number, '-1 hour');
    expect(await announced()).toEqual((await checkpointIds(app)).slice(0, -1));
    await setCheckpointAge(app, number, '16 seconds');
    expect(await announced()).toEqual(await checkpointIds(app));
    const next = await sign();
    await setCheckpointAge(app, next.number, '-1 hour');
    expect(await announced()).toEqual((await checkpointIds(app)).slice(0, -1));
  });
});

describe('a cosignature', () => {
  const asked = async (withinMs?: number) => {
    const { app: nest } = app.service;
    const key = parseWitnessKey(sha256, stranger.key);
    const witness = { id: `${key.name}+${key.id}`, key, url: stranger.url };
    const kept = (await nest.get(SignedCheckpoints).newest(app.org))!;
    const never = new AbortController().signal;
    await nest.get(Cosigner).cosign(witness, kept, never, withinMs);
    return shown(Number(kept.number));
  };
  const refused = (what: string | RegExp) =>
    expect.objectContaining({
      name: 'NotCosigned',
      message: expect.stringMatching(
        new RegExp(
          `^The witness witness\\.example/w3 ${typeof what === 'string' ? what : what.source}.*Checkpoints are signed without its cosignature\\.$`,
        ),
      ),
    });
  const expectNone = async (what: string | RegExp, withinMs?: number) => {
    await expect(asked(withinMs)).rejects.toThrow(refused(what));
    const newest = (await app.service.app.get(SignedCheckpoints).newest(app.org))!;
    expect(namesOf(await shown(Number(newest.number)))).not.toContain(stranger.name);
  };
  beforeEach(() => sign());

  it('is asked for again from the size that the witness answers', async () => {
    expect(namesOf(await asked())).toContain(stranger.name);
    await app.pool.query(`delete from transparency_cosignatures where witness like $1`, [
      `${stranger.name}+%`,
    ]);
    await sign();
    stranger.requests.length = 0;
    expect(namesOf(await asked())).toContain(stranger.name);
    expect(stranger.requests.map((body) => body.split('\n')[0])).toEqual([
      'old 0',
      expect.stringMatching(/^old [1-9]\d*$/),
    ]);
  });

  it('is kept once, with its time, also when it is given twice', async () => {
    const own = ({ cosignatures }: Shown) => cosignatures.filter(({ witness }) => witness === stranger.name);
    const [once] = own(await asked());
    stranger.now = () => Math.floor(Date.now() / 1_000) + 100;
    expect(own(await asked())).toEqual([once]);
  });

  it('is told apart from those of other keys, which are ignored', async () => {
    stranger.answering = ({ body }) => ({ status: 200, body: first.cosign('other\n') + body! });
    expect(namesOf(await asked())).toContain(stranger.name);
  });

  it.each([
    [404, 'does not know the log \\(404\\)'],
    [403, 'knows other keys of the log \\(403\\)'],
    [422, 'has cosigned another tree of the log \\(422\\)'],
    [302, 'answered 302'],
    [500, 'answered 500'],
  ])('is missing after an answer %d', async (status, sentence) => {
    stranger.answering = () => ({ status });
    await expectNone(sentence);
  });

  it('is missing where the witness has cosigned another tree, or a larger one', async () => {
    const { size } = await asked();
    const before = stranger.headOf(origin)!;
    stranger.believe(origin, { size, root: Buffer.alloc(32).toString('base64') });
    await sign();
    await expectNone('has cosigned another tree of the log \\(422\\)');
    stranger.believe(origin, { size: 1_000_000, root: Buffer.alloc(32).toString('base64') });
    await expectNone('has cosigned a larger tree of the log than there is');
    stranger.believe(origin, before);
  });

  it('is missing where the witness does not know the log or its key', async () => {
    stranger.know(logKey.replace(/\+[0-9a-f]{8}\+/, '+00000000+'));
    await expectNone('knows other keys of the log');
  });

  it.each([
    [
      'a wrong signature',
      (body: string) => `${body.slice(0, -6)}AAA=\n`,
      /answered what is no cosignature of it/,
    ],
    ['no signature line', () => 'thank you\n', /answered what is no cosignature of it/],
    ['nothing', () => '', /cosigned with another key/],
    ['a signature of another key', () => first.cosign('other\n'), /cosigned with another key/],
    ['too much', () => 'x'.repeat(100_000), /answered more than 65536 bytes; it is asked again/],
  ] as const)('is missing after %s', async (_, change, sentence) => {
    stranger.answering = (right) =>
      right.status === 200 ? { status: 200, body: change(right.body!) } : right;
    await expectNone(sentence);
  });

  it.each([-7_200, 7_200])('is missing when the clock of the witness is %d seconds off', async (off) => {
    stranger.now = () => Math.floor(Date.now() / 1_000) + off;
    await expectNone('cosigned for a time that is over an hour from the clock of this machine');
  });

  it('is missing while the witness does not answer, or is gone', async () => {
    stranger.answering = () => new Promise(() => undefined);
    await expectNone('did not answer within 0.05 s; it is asked again', 50);
    stranger.answering = undefined;
    await stranger.stop();
    await expectNone('cannot be reached \\(ECONNREFUSED\\); it is asked again');
  });

  it('is missing after 409 without a size, or again and again', async () => {
    await stranger.start();
    stranger.answering = () => ({ status: 409, body: 'one\n' });
    await expectNone('answered 409 without a size');
    stranger.answering = () => ({ status: 409, body: '0\n' });
    await expectNone('answers 409 again and again');
  });
});
