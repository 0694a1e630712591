import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toBase64, toHex, utf8 } from '../../../src/transparency/domain/bytes.js';
import { formatCheckpoint } from '../../../src/transparency/domain/checkpoint.js';
import { batchLeaf, batchRoot, leafHash } from '../../../src/transparency/domain/leaves.js';
import { foldNodes, nodesOf, rootOf } from '../../../src/transparency/domain/merkle.js';
import { formatNote, formatVerifierKey, noteKey, parseNote } from '../../../src/transparency/domain/note.js';
import { SharedPaths } from '../../../src/transparency/domain/shared-paths.js';
import { startTestApp } from '../../support/app.js';
import { recount } from '../../support/recount.js';
import { hashes, publicKeyOf, sha256, signEd25519 } from '../../support/transparency.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import { pack, unpack, withFiles, withLines, type BundleFiles, type Forged } from './edit-bundle.js';
import { verify } from './verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-signed-'));
let honest: BundleFiles;

beforeAll(async () => {
  const app = await startTestApp({ clockStart: CLOCK_START });
  try {
    await writeShopBooks(app);
    await app.request.post('/api/audit/checkpoints/').expect(201);
    await recount(app, 'audit', 'export', path.join(folder, 'all.zip'), '--from', '2026-01-01');
  } finally {
    await app.stop();
  }
  honest = await unpack(readFileSync(path.join(folder, 'all.zip')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textsOf = (files: BundleFiles, name: string): string[] =>
  files.get(name)!.toString().trimEnd().split('\n');

/** The leaf of an event, from the text of its line as it stands. */
const eventLeafOf = (line: string, position: number): string =>
  line
    .replace(/,"metadata":(?!.*,"metadata":)/, ',"kind":"event","metadata":')
    .replace(/,"revision":(?!.*,"revision":)/, `,"position":${position},"revision":`)
    .replace(/\}$/, ',"v":1}');

function batchLeafOf(line: string, position: number): string {
  const {
    number,
    earliest,
    received_at: receivedAt,
    straggler,
    body_hashes: rows,
  } = JSON.parse(line) as Forged;
  const root = toHex(
    batchRoot(
      hashes,
      rows.map((one: string) => Buffer.from(one, 'hex')),
    ),
  );
  return batchLeaf({ number, events: rows.length, earliest, receivedAt, straggler, root }, position);
}

const SEED = Buffer.alloc(32, 9);

/** Makes a tree of the lines of a bundle as they stand, proves each, and signs it, as whoever has a key can. */
function signedAnew(files: BundleFiles): { readonly files: BundleFiles; readonly key: string } {
  const items = ['events/0000.jsonl', 'batches.jsonl', 'events/0001.jsonl'].flatMap((name) =>
    textsOf(files, name).map((line) => ({ line, name })),
  );
  const leaves = items.map(({ line, name }, at) =>
    leafHash(hashes, name === 'batches.jsonl' ? batchLeafOf(line, at) : eventLeafOf(line, at)),
  );
  const proofsOf = (...names: readonly string[]): string => {
    const paths = new SharedPaths(leaves.length);
    const lines = items.flatMap(({ line, name }, index) => {
      if (!names.includes(name)) return [];
      const ranges = paths.rangesOf(index);
      const path = ranges.map((range) =>
        toBase64(
          foldNodes(
            hashes,
            nodesOf(range).map(({ level, index: node }) =>
              rootOf(hashes, leaves.slice(node * 2 ** level, (node + 1) * 2 ** level)),
            ),
          ),
        ),
      );
      const { number, stream, revision } = JSON.parse(line) as Forged;
      const of = name === 'batches.jsonl' ? `{"batch":${number},` : '{';
      const named =
        name === 'batches.jsonl' ? '' : `,"revision":${revision},"stream":${JSON.stringify(stream)}`;
      return [`${of}"hashes":${JSON.stringify(path)},"index":${index}${named}}\n`];
    });
    return lines.join('');
  };
  const { note } = JSON.parse(textsOf(files, 'checkpoint.jsonl')[0]!) as { note: string };
  const origin = parseNote(note).text.split('\n')[0]!;
  const key = noteKey(sha256, origin, publicKeyOf(SEED));
  const text = formatCheckpoint({ origin, size: leaves.length, root: rootOf(hashes, leaves) });
  const signature = signEd25519(SEED, utf8(text));
  const signed = formatNote({ text, signatures: [{ name: origin, keyId: key.id, signature }] });
  const proven = withFiles(files, {
    'proofs/0000.jsonl': proofsOf('events/0000.jsonl', 'batches.jsonl'),
    'proofs/0001.jsonl': proofsOf('events/0001.jsonl'),
    'consistency.jsonl': '',
  });
  return {
    files: withLines(proven, 'checkpoint.jsonl', () => [{ note: signed }]),
    key: formatVerifierKey(key),
  };
}

async function verifySigned(files: BundleFiles) {
  const signed = signedAnew(files);
  const file = path.join(folder, 'signed.zip');
  await pack(signed.files, file);
  return verify(file, '--key', signed.key);
}

const withFirst = (name: string, change: (line: string) => string): BundleFiles =>
  withFiles(honest, {
    [name]: textsOf(honest, name)
      .map((line, at) => `${at === 0 ? change(line) : line}\n`)
      .join(''),
  });

/** Gives a usage event a property twice, and its batch the hash of that text. */
function withPropertyTwice(): BundleFiles {
  const sha = (...texts: readonly (string | Buffer)[]): string =>
    texts.reduce((digest, text) => digest.update(text), createHash('sha256')).digest('hex');
  const bodyOf = (line: string): string => {
    const {
      idempotency_id: id,
      customer_key: key,
      event_name: name,
      event_time: time,
    } = JSON.parse(line) as Forged;
    const properties = line.slice(line.indexOf('"properties":') + '"properties":'.length, -1);
    return sha(`[${[id, key, name, time].map((one) => JSON.stringify(one)).join()},${properties}]`);
  };
  const [line] = textsOf(honest, 'usage/0001.jsonl');
  const twice = line!.replace('"properties":{', '"properties":{"bytes":1,');
  const files = withFirst('usage/0001.jsonl', () => twice);
  return withLines(files, 'batches.jsonl', (batches) =>
    batches.map((batch) => {
      const rows = batch.body_hashes.map((one: string) => (one === bodyOf(line!) ? bodyOf(twice) : one));
      return { ...batch, body_hashes: rows, digest: sha(Buffer.from(rows.join(''), 'hex')) };
    }),
  );
}

describe('a line that somebody has signed as it stands', () => {
  it('is proven where it is canonical', async () => {
    const { code, text } = await verifySigned(honest);
    expect(text).toMatch(/signature: good, over a tree of \d+ leaves, 0 events and batches came later/);
    expect(code).toBe(0);
  });

  it.each([
    [
      'an event with a member twice',
      () =>
        withFirst('events/0001.jsonl', (line) => line.replace('{"data":{', '{"data":{"asOf":0,"asOf":0,')),
      /^refused: proofs\/0001\.jsonl, line 1: account-\S+@0 is not leaf \d+ of the signed tree/,
    ],
    [
      'metadata in another order',
      () =>
        withFirst('events/0001.jsonl', (line) =>
          line.replace(/"metadata":\{("actor":"[^"]*"),("[^}]*)\}/, '"metadata":{$2,$1}'),
        ),
      /^refused: proofs\/0001\.jsonl, line 1: account-\S+@0 is not leaf \d+ of the signed tree/,
    ],
    [
      'a usage event with a property twice',
      withPropertyTwice,
      /^refused: usage\/0001\.jsonl, line 1: usage event "used-\d+" has the body hash/,
    ],
  ])('is refused as %s', async (_, change, place) => {
    const { code, text } = await verifySigned(change());
    expect(text).toMatch(place);
    expect(code).toBe(2);
  });
});
