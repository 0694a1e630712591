import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../../support/app.js';
import { openDocuments } from '../../support/open-documents.js';
import { recount } from '../../support/recount.js';
import { shopOf } from '../../support/shop.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import { DIFFERING } from './differing-bundles.js';
import { REFUSED_ARCHIVES } from './refused-archives.js';
import { REFUSED } from './refused-bundles.js';
import { checkInPython } from './run-python.js';
import { verify, verifyFiles } from './verify-file.js';
import { pack, unpack, withLines, type BundleFiles, type Forged } from './edit-bundle.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-evidence-'));
const inFolder = (name: string): string => path.join(folder, name);
let honest: BundleFiles;
let key: string;
/** Checkpoints that an auditor has kept, newest last. */
const kept: string[] = [];
let download: Buffer;
let withPdf: Buffer;

beforeAll(async () => {
  const app = await startTestApp({ clockStart: CLOCK_START });
  try {
    const sign = async () =>
      kept.push((await app.request.post('/api/audit/checkpoints/').expect(201)).body.note as string);
    await sign();
    await writeShopBooks(app);
    await openDocuments(app, 'acme');
    await sign();
    key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
    const { isWell } = await recount(app, 'audit', 'export', inFolder('all.zip'), '--from', '2026-01-01');
    expect(isWell).toBe(true);
    const [invoice] = await shopOf(app).invoices('?customer_id=acme');
    const asFile = (query: string) =>
      app.request
        .get(`/api/invoices/${invoice.invoice_number}/evidence/${query}`)
        .responseType('blob')
        .expect(200);
    download = (await asFile('')).body as Buffer;
    expect((await asFile('')).body).toEqual(download);
    withPdf = (await asFile('?include=pdf')).body as Buffer;
  } finally {
    await app.stop();
  }
  honest = await unpack(readFileSync(inFolder('all.zip')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verifyChanged = (files: BundleFiles) => verifyFiles(files, inFolder('changed.zip'));

describe('an evidence bundle', () => {
  it('verifies without the service: every invoice is computed again as issued', async () => {
    const { code, text } = await verify(inFolder('all.zip'), '--without-signature');
    expect(text).toMatch(/\d+ invoices computed again in [\d.]+ s: all as issued\n$/);
    expect(code).toBe(0);
  });

  it('verifies with its files in another order', async () => {
    await pack(new Map([...honest].reverse()), inFolder('reversed.zip'));
    expect((await verify(inFolder('reversed.zip'), '--key', key)).code).toBe(0);
  });

  it('is downloaded for one invoice, and has the same bytes each time', async () => {
    writeFileSync(inFolder('one.zip'), download);
    const { code, text } = await verify(inFolder('one.zip'), '--json', '--key', key);
    expect(code).toBe(0);
    const report = JSON.parse(text) as { ok: boolean; invoices: object[]; counts: object };
    expect(report).toMatchObject({ ok: true, invoices: [{ currency: 'USD', ok: true, differences: [] }] });
  });

  it('holds documents only where they are asked for, and knows them by their bytes', async () => {
    expect([...(await unpack(download)).keys()].filter((name) => name.endsWith('.pdf'))).toEqual([]);
    const files = await unpack(withPdf);
    const name = [...files.keys()].find((one) => one.endsWith('.pdf'))!;
    writeFileSync(inFolder('pdf.zip'), withPdf);
    writeFileSync(inFolder('kept.pdf'), files.get(name)!);
    expect((await verify(inFolder('pdf.zip'), '--key', key, '--expect', inFolder('kept.pdf'))).code).toBe(0);
    writeFileSync(inFolder('other.pdf'), Buffer.concat([files.get(name)!, Buffer.from(' ')]));
    expect((await verify(inFolder('pdf.zip'), '--expect', inFolder('other.pdf'))).code).toBe(1);
  });
});

describe('a bundle that is not as it was written is refused with the place', () => {
  it('with any bit of a file or of the table of contents flipped', async () => {
    const bytes = readFileSync(inFolder('all.zip'));
    const directory = bytes.lastIndexOf(Buffer.from('PK\x01\x02'));
    for (const at of [200, 2_000, bytes.length - 20, directory + 17, directory + 44, directory + 48]) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 4;
      writeFileSync(inFolder('flipped.zip'), flipped);
      const { code, text } = await verify(inFolder('flipped.zip'));
      expect({ at, code, text }).toEqual({ at, code: 2, text: expect.stringMatching(/^refused: .+\n$/) });
    }
  });

  it('cut at any length', async () => {
    const bytes = readFileSync(inFolder('all.zip'));
    for (const length of [0, 10, 1_000, bytes.length - 1]) {
      writeFileSync(inFolder('cut.zip'), bytes.subarray(0, length));
      expect(await verify(inFolder('cut.zip'))).toEqual({
        code: 2,
        text: expect.stringMatching(/^refused: the archive: /),
      });
    }
  });

  it('with a path outside', async () => {
    const bytes = readFileSync(inFolder('all.zip'));
    const [name, outside] = [Buffer.from('events/0001.jsonl'), Buffer.from('../nts/0001.jsonl')];
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) outside.copy(bytes, at);
    writeFileSync(inFolder('outside.zip'), bytes);
    expect(await verify(inFolder('outside.zip'))).toEqual({
      code: 2,
      text: 'refused: the archive: "../nts/0001.jsonl": no file of a bundle has this name\n',
    });
  });

  it.each(REFUSED_ARCHIVES)('%s', async (_, change, place) => {
    writeFileSync(inFolder('changed.zip'), await change(honest));
    const { code, text } = await verify(inFolder('changed.zip'));
    expect(text).toMatch(place);
    expect(code).toBe(2);
  });

  it.each(REFUSED)('%s', async (_, change, place) => {
    const { code, text } = await verifyChanged(change(honest));
    expect(text).toMatch(place);
    expect(code).toBe(2);
  });
});

describe('a bundle whose hashes were all computed anew after a change names', () => {
  it.each(DIFFERING)('%s', async (_, change, found) => {
    const { code, text } = await verifyChanged(change(honest));
    expect(text).toMatch(found);
    expect(code).toBe(1);
  });
});

describe('a bundle with a checkpoint', () => {
  const withKey = async (files: BundleFiles) => {
    await pack(files, inFolder('signed.zip'));
    return verify(inFolder('signed.zip'), '--key', key);
  };

  it('proves every event and batch to whoever knows the key', async () => {
    const { code, text } = await withKey(honest);
    expect(text).toMatch(/signature: good, over a tree of \d+ leaves, 0 events and batches came later/);
    expect(code).toBe(0);
  });

  it('shows a change that nothing follows from, such as an actor', async () => {
    const forged = withLines(honest, 'events/0001.jsonl', ([first, ...rest]) => [
      { ...first, metadata: { ...first.metadata, actor: 'nobody' } },
      ...rest,
    ]);
    const { code, text } = await withKey(forged);
    expect(text).toMatch(
      /^refused: proofs.0001\.jsonl, line \d+: .+@0 is not leaf \d+ of the signed tree of \d+ leaves: its hash is [0-9a-f]{64}; of the (leaf|node over leaves \d+ to \d+) the hash computed is [0-9a-f]{64}, expected [0-9a-f]{64}\n$/,
    );
    expect(code).toBe(2);
  });

  it('does not prove a stream inside which an event was left out with its proof', async () => {
    const isOther = (one: Forged) => (line: Forged) =>
      line.stream !== one.stream || line.revision !== one.revision;
    const lines = honest.get('events/0001.jsonl')!.toString().trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as Forged);
    // Amounts do not depend on these events.
    const candidates = events.filter(
      ({ type, stream }, at) => /^Invoice(Issued|Paid)$/.test(type) && events[at + 1]?.stream === stream,
    );
    let found = 0;
    for (const one of candidates) {
      const without = ['events/0001.jsonl', 'proofs/0001.jsonl'].reduce(
        (files, name) => withLines(files, name, (all) => all.filter(isOther(one))),
        honest,
      );
      const { code, text } = await withKey(without);
      // Proofs of later events may depend on the removed event.
      if (/ is not leaf /.test(text)) continue;
      expect(text).toContain(
        `\nnot proven: 1 events inside their streams are missing, the first is ${one.stream}@${one.revision}: `,
      );
      expect(code).toBe(3);
      found += 1;
    }
    expect(found).toBeGreaterThan(0);
  });

  it('shows a proof that was left out, and a checkpoint that was not signed so', async () => {
    const without = withLines(honest, 'proofs/0001.jsonl', (lines) => lines.slice(0, -1));
    const { code, text } = await withKey(without);
    expect({ code, text }).toEqual({
      code: 1,
      text: expect.stringMatching(/1 events and batches are not in/),
    });
    const changed = withLines(honest, 'checkpoint.jsonl', ([line]) => [
      { note: line.note.replace(/\n\d+\n/, '\n9999\n') },
    ]);
    const refused = await withKey(changed);
    expect(refused).toEqual({ code: 2, text: expect.stringMatching(/^refused: the signature of /) });
  });
});

describe('a checkpoint that an auditor has kept', () => {
  const since = async (note: string) => {
    writeFileSync(inFolder('kept.checkpoint'), note);
    return verify(inFolder('all.zip'), '--key', key, '--since', inFolder('kept.checkpoint'));
  };

  it('is continued by the tree of the bundle', async () => {
    for (const note of kept) {
      const size = note.split('\n')[1]!;
      const { code, text } = await since(note);
      expect(text).toContain(`, which continues your checkpoint of ${size} leaves, `);
      expect(code).toBe(0);
    }
  });

  it('shows a history that was rewritten and signed again', async () => {
    const [root, other] = kept.map((note) => note.split('\n')[2]!) as [string, string];
    writeFileSync(inFolder('kept.checkpoint'), kept[0]!.replace(root, other));
    const { code, text } = await verify(inFolder('all.zip'), '--since', inFolder('kept.checkpoint'));
    expect(text).toMatch(
      /^refused: checkpoint: the tree of \d+ leaves with the root [0-9a-f]{64} does not continue the kept/,
    );
    expect(code).toBe(2);
  });

  it('must be signed with the key, and be one that the bundle proves', async () => {
    const larger = kept[1]!.replace(/\n\d+\n/, '\n9999\n');
    expect(await since(larger)).toEqual({
      code: 2,
      text: expect.stringMatching(/^refused: the signature of/),
    });
    const without = withLines(honest, 'consistency.jsonl', () => []);
    await pack(without, inFolder('without.zip'));
    writeFileSync(inFolder('kept.checkpoint'), kept[0]!);
    const { code, text } = await verify(inFolder('without.zip'), '--since', inFolder('kept.checkpoint'));
    expect(text).toMatch(/\nnot proven: the bundle has no proof that its tree of \d+ leaves continues your/);
    expect(code).toBe(3);
  });
});

describe('a script of the standard library, written from docs/evidence-bundle.md and its links alone', () => {
  it('finds the signature, every proof, and the arithmetic of an invoice as stated', async () => {
    const { counts, invoices } = JSON.parse((await verify(inFolder('all.zip'), '--json')).text) as {
      counts: { events: number; batches: number };
      invoices: { number: string; cost_due: string }[];
    };
    const { number } = invoices.find(({ cost_due: due }) => due === '660')!;
    const found = await checkInPython(inFolder('all.zip'), number, key);
    expect(JSON.parse(found)).toMatchObject({
      usage: 180,
      cost_due: 660,
      lines: ['requests', 'platform fee'],
      proven: counts.events + counts.batches,
    });
    const other = key.replace(/\+[0-9a-f]{8}\+/, '+00000000+');
    await expect(checkInPython(inFolder('all.zip'), number, other)).rejects.toThrow(/the id of the key/);
  });
});
