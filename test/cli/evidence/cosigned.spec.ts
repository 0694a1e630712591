import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TreeProofs } from '../../../src/audit/evidence/tree-proofs.js';
import { startTestApp } from '../../support/app.js';
import { recount } from '../../support/recount.js';
import { until } from '../../support/until.js';
import { TestWitness } from '../../support/witness.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import { pack, unpack, withLines, withoutFiles, type BundleFiles } from './edit-bundle.js';
import { verify } from './verify-file.js';

interface Shown {
  readonly number: number;
  readonly note: string;
  readonly cosignatures: readonly { readonly witness: string; readonly cosigned_at: string }[];
}

const folder = mkdtempSync(path.join(tmpdir(), 'recount-cosigned-'));
const inFolder = (name: string): string => path.join(folder, name);
const witnesses = ['witness.example/w1', 'witness.example/w2'].map(
  (name, index) => new TestWitness(name, 21 + index),
) as [TestWitness, TestWitness];
const stranger = new TestWitness('witness.example/w3', 23);
let key: string;
let honest: BundleFiles;
/** Checkpoint of the bundle as signed, and with its cosignatures. */
let signed: Shown;
let cosigned: Shown;
/** Note in an export that began before the cosignatures arrived. */
let begunBefore: string | undefined;

beforeAll(async () => {
  for (const witness of witnesses) await witness.start();
  const app = await startTestApp({
    clockStart: CLOCK_START,
    env: { AUDIT_WITNESSES: witnesses.map((witness) => `${witness.key} ${witness.url}`).join('\n') },
  });
  try {
    key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
    for (const witness of witnesses) witness.know(key);
    const sign = async () => {
      signed = (await app.request.post('/api/audit/checkpoints/').expect(201)).body as Shown;
      await until(async () => {
        [cosigned] = (await app.request.get('/api/audit/checkpoints/?limit=1').expect(200)).body as [Shown];
        return cosigned.number === signed.number && cosigned.cosignatures.length === 2;
      });
    };
    await sign();
    writeFileSync(inFolder('kept.checkpoint'), cosigned.note);
    await writeShopBooks(app);
    await sign();
    begunBefore = (
      await app.service.app.get(TreeProofs, { strict: false }).checkpoint(app.org, signed.number, 0)
    )?.note;
    await recount(app, 'audit', 'export', inFolder('all.zip'), '--from', '2026-01-01');
  } finally {
    await app.stop();
    for (const witness of witnesses) await witness.stop();
  }
  honest = await unpack(readFileSync(inFolder('all.zip')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verifyWith = (keys: readonly string[], ...options: string[]) =>
  verify(inFolder('all.zip'), '--key', key, ...keys.flatMap((one) => ['--witness', one]), ...options);
const both = () => witnesses.map((witness) => witness.key);
const withNote = (change: (note: string) => string): BundleFiles =>
  withLines(honest, 'checkpoint.jsonl', ([line]) => [{ note: change(line.note as string) }]);
async function verifyChanged(files: BundleFiles) {
  await pack(files, inFolder('changed.zip'));
  return verify(inFolder('changed.zip'), '--key', key, ...both().flatMap((one) => ['--witness', one]));
}

describe('the verifier', () => {
  it('says which witnesses have cosigned, and when', async () => {
    const { code, text } = await verifyWith(both());
    expect(code).toBe(0);
    for (const { name } of witnesses) {
      const { cosigned_at: at } = cosigned.cosignatures.find(({ witness }) => witness === name)!;
      expect(text).toContain(`\ncosigned: by ${name} at ${at}\n`);
    }
    const json = JSON.parse((await verifyWith(both().slice(1), '--json')).text) as object;
    expect(json).toMatchObject({
      ok: true,
      cosignatures: [cosigned.cosignatures.find(({ witness }) => witness === witnesses[1].name)],
    });
    expect((await verifyWith([])).text).not.toContain('cosigned');
  });

  it('takes a kept checkpoint with cosignatures', async () => {
    const { code, text } = await verifyWith(both(), '--since', inFolder('kept.checkpoint'));
    expect(text).toContain('which continues your checkpoint of');
    expect(code).toBe(0);
    const note = readFileSync(inFolder('kept.checkpoint'), 'utf8');
    writeFileSync(inFolder('older.checkpoint'), note.split('\n').slice(0, 5).join('\n') + '\n');
    expect((await verifyWith(both(), '--since', inFolder('older.checkpoint'))).code).toBe(0);
    writeFileSync(inFolder('wrong.checkpoint'), withWrongCosignature(note));
    expect(await verifyWith(both(), '--since', inFolder('wrong.checkpoint'))).toEqual({
      code: 2,
      text: expect.stringMatching(
        /^refused: the signature of witness\.example\/w2 with the key id .+ is wrong\n$/,
      ),
    });
  });

  it('refuses a bundle without the cosignature of a witness', async () => {
    const [, id] = stranger.key.split('+');
    const missing = `refused: checkpoint: no cosignature of the witness ${stranger.name} with the key id ${id}\n`;
    expect(await verifyWith([...both(), stranger.key])).toEqual({ code: 2, text: missing });
    const without = withNote((note) => note.split('\n').slice(0, 5).join('\n') + '\n');
    expect((await verifyChanged(without)).text).toMatch(
      /^refused: checkpoint: no cosignature of the witness/,
    );
    const unsigned = ['checkpoint.jsonl', 'consistency.jsonl', 'proofs/0000.jsonl', 'proofs/0001.jsonl'];
    expect((await verifyChanged(withoutFiles(honest, ...unsigned))).code).toBe(2);
  });

  it('refuses a bundle with a wrong cosignature, or one of an earlier checkpoint', async () => {
    expect((await verifyChanged(withNote(withWrongCosignature))).text).toMatch(
      /^refused: the signature of witness\.example\/w2 with the key id [0-9a-f]{8} is wrong\n$/,
    );
    const earlier = readFileSync(inFolder('kept.checkpoint'), 'utf8').split('\n').slice(5).join('\n');
    const swapped = withNote((note) => `${note.split('\n').slice(0, 5).join('\n')}\n${earlier}`);
    expect((await verifyChanged(swapped)).text).toMatch(
      /^refused: the signature of witness\.example\/w[12] /,
    );
  });

  it('takes keys of witnesses with that of the log only, and neither for the other', async () => {
    const alone = await verify(inFolder('all.zip'), '--witness', witnesses[0].key);
    expect(alone).toEqual({ code: 2, text: expect.stringContaining('give the key of the log as well') });
    expect((await verifyWith([key])).text).toContain('is not that of a witness');
    const asLog = await verify(inFolder('all.zip'), '--key', witnesses[0].key);
    expect(asLog).toEqual({ code: 2, text: expect.stringContaining('is that of a witness') });
  });
});

describe('an export', () => {
  it('has the cosignatures that were there when it began', () => {
    expect(begunBefore).toBe(signed.note);
    expect(honest.get('checkpoint.jsonl')!.toString()).toBe(`${JSON.stringify({ note: cosigned.note })}\n`);
  });
});

/** Returns the note with another time in its last cosignature. */
function withWrongCosignature(note: string): string {
  const lines = note.split('\n');
  const at = lines.findIndex((line) => line.startsWith('— witness.example/w2 '));
  const [dash, name, base64] = lines[at]!.split(' ') as [string, string, string];
  const bytes = Buffer.from(base64, 'base64');
  bytes[11]! ^= 1;
  lines[at] = `${dash} ${name} ${bytes.toString('base64')}`;
  return lines.join('\n');
}
