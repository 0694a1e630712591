import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  formatNote,
  parseNote,
  parseVerifierKey,
  type NoteKey,
} from '../../../src/transparency/domain/note.js';
import { sha256 } from '../../../src/transparency/sha256.js';
import { anotherTenant } from '../../support/another-tenant.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody, aComponentBody } from '../../support/builders/catalog-bodies.js';
import { openDocuments } from '../../support/open-documents.js';
import { recount } from '../../support/recount.js';
import { shopOf, times } from '../../support/shop.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import { pack, unpack, withLines, type BundleFiles } from './edit-bundle.js';
import { verify } from './verify-file.js';

interface Batch {
  readonly number: number;
  readonly events: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'recount-tenants-'));
let app: TestApp;
/** Ids and names in the tables and events of the other organization. */
const foreign = new Set<string>();
let files: BundleFiles;
let size: number;
/** Verifier keys of the other organization and of the bundle's. */
let foreignKeyText: string;
let ownKeyText: string;

/** Collects every text in a JSON value that is long enough to be an id or a name. */
function textsOf(value: unknown, found: Set<string>): void {
  if (typeof value === 'string' && value.length > 8) found.add(value);
  if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) textsOf(one, found);
}

beforeAll(async () => {
  app = await startTestApp({ clockStart: CLOCK_START });
  const other = await anotherTenant(app);
  const shop = shopOf({ ...app, request: other.request });
  const metric = await shop.metric({ metric_name: 'Foreign metric' });
  const plan = await shop.plan('Foreign plan', {
    recurring_charges: [aChargeBody({ amount: 77 })],
    components: [aComponentBody(metric)],
  });
  await shop.customer('foreign-customer', { customer_name: 'Foreign Name' });
  await shop.subscribe('foreign-customer', plan, '2026-01-01');
  await shop.use(
    ...times(40, '2026-01-01T00:00:00Z').map((event, at) => ({
      ...event,
      customer: 'foreign-customer',
      id: `foreign-usage-${at}`,
    })),
  );
  await writeShopBooks(app);
  await openDocuments(app);
  await other.request.post('/api/audit/checkpoints/').expect(201);
  ({ size } = (await app.request.post('/api/audit/checkpoints/').expect(201)).body);

  const keyFrom = async ({ request }: Pick<TestApp, 'request'>): Promise<string> =>
    (await request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
  [foreignKeyText, ownKeyText] = [await keyFrom(other), await keyFrom(app)];

  const mine = new Set<string>();
  for (const [request, found] of [
    [other.request, foreign],
    [app.request, mine],
  ] as const) {
    for (const list of [
      'audit/log/?limit=1000',
      'invoices/',
      'customers/',
      'plans/',
      'metrics/',
      'events/',
    ]) {
      textsOf((await request.get(`/api/${list}`).expect(200)).body, found);
    }
  }
  for (const text of mine) foreign.delete(text);
  foreign.add(other.org).add('foreign-usage-').add('Foreign ');
  const file = path.join(folder, 'all.zip');
  await recount(app, 'audit', 'export', file, '--from', '2026-01-01', '--pdf');
  files = await unpack(readFileSync(file));
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

const linesOf = <Line>(name: string): Line[] =>
  files
    .get(name)!
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

/** Gives the signature of the checkpoint the name and the id of another key; the signed text has neither. */
const signedAs = ({ name, id }: NoteKey): BundleFiles =>
  withLines(files, 'checkpoint.jsonl', ([{ note }]) => {
    const { text, signatures } = parseNote(note as string);
    const renamed = signatures.map(({ signature }) => ({ name, keyId: id, signature }));
    return [{ note: formatNote({ text, signatures: renamed }) }];
  });

describe('a bundle of an organization beside another one', () => {
  it('is refused to whoever has the key of the other, also with its name below the checkpoint', async () => {
    const [foreignKey, ownKey] = [
      parseVerifierKey(sha256, foreignKeyText),
      parseVerifierKey(sha256, ownKeyText),
    ];
    expect(foreignKey.publicKey).toEqual(ownKey.publicKey);
    const file = path.join(folder, 'renamed.zip');
    await pack(signedAs(foreignKey), file);
    expect(await verify(file, '--key', foreignKeyText)).toEqual({
      code: 2,
      text: `refused: checkpoint: its origin ${ownKey.name} is not ${foreignKey.name}, which the key is for\n`,
    });
    await pack(signedAs(ownKey), file);
    expect((await verify(file, '--key', ownKeyText)).code).toBe(0);
  });

  it('has no id and no name of the other', () => {
    expect(foreign.size).toBeGreaterThan(50);
    for (const [name, bytes] of files) {
      const text = bytes.toString('latin1');
      const found = [...foreign].filter((one) => text.includes(one));
      expect({ name, found }).toEqual({ name, found: [] });
    }
  });

  it('has no count that the other has a part in', () => {
    const batches = linesOf<Batch>('batches.jsonl');
    expect(batches.map(({ number }) => number)).toEqual(batches.map((_, index) => index + 1));
    expect(batches.reduce((sum, { events }) => sum + events, 0)).toBeLessThanOrEqual(185);
    const { note } = linesOf<{ note: string }>('checkpoint.jsonl')[0]!;
    expect(Number(note.split('\n')[1])).toBe(size);
    const indexes = ['proofs/0000.jsonl', 'proofs/0001.jsonl'].flatMap((name) =>
      linesOf<{ index: number }>(name).map(({ index }) => index),
    );
    expect(Math.max(...indexes)).toBeLessThan(size);
    expect(new Set(indexes).size).toBe(indexes.length);
  });
});
