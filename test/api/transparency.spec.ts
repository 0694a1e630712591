import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RecordedEvent, orgOfStream } from '../../src/kernel/event.js';
import { toWireId } from '../../src/kernel/ids.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { STORED_EVENTS, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { fromBase64, toHex, utf8 } from '../../src/transparency/domain/bytes.js';
import { parseCheckpoint } from '../../src/transparency/domain/checkpoint.js';
import { eventLeaf, leafHash } from '../../src/transparency/domain/leaves.js';
import { parseNote, parseVerifierKey, signaturesBy } from '../../src/transparency/domain/note.js';
import { parseProof } from '../../src/transparency/domain/proof-text.js';
import { isConsistent, isIncluded } from '../../src/transparency/domain/verify-proof.js';
import { TreeAudit } from '../../src/transparency/tree-audit.js';
import { Trees } from '../../src/transparency/trees.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { breakingAfter, deleteTrees } from '../support/breaking-pool.js';
import { recount } from '../support/recount.js';
import { shopOf, type Shop } from '../support/shop.js';
import { hashes, sha256, verifyEd25519 } from '../support/transparency.js';
import { until } from '../support/until.js';
import { warningsOf } from '../support/warnings.js';

const USED = '2026-01-01T00:00:00Z';

interface Shown {
  readonly size: number;
  readonly root: string;
  readonly note: string;
  readonly cause: string;
  readonly number: number;
}

const directory = mkdtempSync(path.join(tmpdir(), 'checkpoints-'));
let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  const keys = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  app = await startTestApp({ env: { AUDIT_KEYS: keys.join('\n'), AUDIT_DIRECTORY: directory } });
  shop = shopOf(app);
  const metricId = await shop.metric({ aggregation_type: 'sum', property_name: 'bytes' });
  const planId = await shop.plan('Basic', {
    recurring_charges: [aChargeBody()],
    components: [aComponentBody(metricId)],
  });
  await shop.customer('acme');
  await shop.subscribe('acme', planId, '2026-01-01');
  for (const batch of ['a', 'b', 'c']) {
    await shop.use(...[1, 2, 3].map((n) => ({ at: USED, id: `${batch}-${n}`, properties: { bytes: n } })));
  }
});
afterAll(async () => {
  await app.stop();
  rmSync(directory, { recursive: true });
});

const sign = async (agent = app.request): Promise<Shown> =>
  (await agent.post('/api/audit/checkpoints/').expect(201)).body;
const textOf = async (path: string): Promise<string> => (await app.request.get(path).expect(200)).text;
const keysOf = async (agent = app.request) =>
  ((await agent.get('/api/audit/keys/').expect(200)).body as { verifier_key: string }[]).map((key) =>
    parseVerifierKey(sha256, key.verifier_key),
  );

/** Parses a checkpoint after checking that both listed keys, which overlap, have signed it. */
async function believed(note: string) {
  const parsed = parseNote(note);
  expect(signaturesBy(parsed, await keysOf(), verifyEd25519)).toHaveLength(2);
  return parseCheckpoint(parsed.text);
}

/** Verifies a proof as an auditor does, who has only the public keys. */
async function proven(query: string) {
  const { extra, index, hashes: proof, checkpoint } = parseProof(await textOf(`/api/audit/proofs/?${query}`));
  const { size, root } = await believed(checkpoint);
  const told = JSON.parse(Buffer.from(extra!).toString('utf8')) as {
    leaf: string;
    row?: { body: string; hashes: string[]; index: number };
  };
  const hash = leafHash(hashes, told.leaf);
  expect(isIncluded(hashes, { leaf: index, size, leafHash: hash, root, proof })).toBe(true);
  return { index, row: told.row, leaf: JSON.parse(told.leaf) as Record<string, unknown> };
}

const storedEvents = async (org: string): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of app.service.app.get<EventStore>(STORED_EVENTS).readAll()) {
    if (orgOfStream(event.stream) === org) events.push(event);
  }
  return events;
};

describe('the transparency log', () => {
  it('covers every event and every usage batch, sealed or not before, with a signed checkpoint', async () => {
    const checkpoint = await sign();
    const { origin, size, root } = await believed(checkpoint.note);
    expect(origin).toBe(`recount/${toWireId('org', app.org)}`);
    expect(size).toBe((await storedEvents(app.org)).length + 3);
    expect(checkpoint).toMatchObject({ size, root: Buffer.from(root).toString('base64') });
    expect(await textOf('/api/audit/checkpoints/latest/')).toBe(checkpoint.note);
  });

  it('is written to the directory for checkpoints, and told by webhook', async () => {
    const { body: hook } = await app.request.post('/api/webhooks/').send({
      name: 'auditor',
      webhook_url: 'https://auditor.invalid/checkpoints',
      triggers: ['audit.checkpoint'],
    });
    await shop.customer('told');
    const { note } = await sign();
    const folder = path.join(directory, toWireId('org', app.org));
    expect(readFileSync(path.join(folder, readdirSync(folder).sort().at(-1)!), 'utf8')).toBe(note);
    const deliveries = `/api/webhooks/${hook.webhook_endpoint_id}/deliveries/`;
    await until(async () => (await app.request.get(deliveries).expect(200)).body.length > 0);
    expect((await app.request.get(deliveries)).body[0].trigger).toBe('audit.checkpoint');
  });

  it('makes no new checkpoint while nothing was added', async () => {
    expect(await sign()).toEqual(await sign());
  });

  it('proves an event by its position, as it is stored', async () => {
    const { leaf, index } = await proven('position=0');
    const [first] = await storedEvents(app.org);
    expect(leaf).toEqual(JSON.parse(eventLeaf(first!, 0)));
    expect(index).toBe(0);
  });

  it('proves a usage event down to its row', async () => {
    const { leaf, row } = await proven('usage_event_id=b-2');
    expect(JSON.parse(row!.body)).toEqual([
      'b-2',
      expect.anything(),
      'request',
      '2026-01-01T00:00:00.000000Z',
      { bytes: 2 },
    ]);
    const root = Buffer.from(leaf['root'] as string, 'hex');
    const leafHash = hashes.leaf(sha256(utf8(row!.body)));
    const proof = row!.hashes.map((hash) => fromBase64(hash)!);
    expect(leaf).toMatchObject({ kind: 'usage_batch', events: 3 });
    expect(isIncluded(hashes, { leaf: row!.index, size: 3, leafHash, root, proof })).toBe(true);
    await sign();
    expect((await proven(`position=${leaf['position'] as number}`)).leaf).toEqual(leaf);
  });

  it('signs at the end of a billing run, and proves the invoice', async () => {
    const before = await sign();
    await app.advance('2026-02-01T01:00:00Z');
    const [invoice] = await shop.invoices();
    await until(async () => {
      const [newest] = (await app.request.get('/api/audit/checkpoints/').expect(200)).body as Shown[];
      return newest!.cause === 'billing' && newest!.size > before.size;
    });
    const { leaf } = await proven(`invoice_id=${invoice.invoice_id}`);
    expect(leaf).toMatchObject({ type: 'InvoiceComputed', data: { invoiceId: invoice.invoice_id.slice(8) } });
  });

  it('proves that each tree continues every earlier one', async () => {
    const all = (await app.request.get('/api/audit/checkpoints/?limit=1000').expect(200)).body as Shown[];
    const to = all[0]!;
    for (const from of all.slice(1)) {
      const path = `/api/audit/consistency/?from=${from.size}&to=${to.size}`;
      const { hashes: proof } = (await app.request.get(path).expect(200)).body as { hashes: string[] };
      const roots = { fromRoot: fromBase64(from.root)!, toRoot: fromBase64(to.root)! };
      const sizes = { from: from.size, to: to.size };
      expect(
        isConsistent(hashes, { ...sizes, ...roots, proof: proof.map((hash) => fromBase64(hash)!) }),
      ).toBe(true);
    }
    expect(all.length).toBeGreaterThan(1);
    await app.request.get(`/api/audit/consistency/?from=1&to=${to.size + 1}`).expect(400);
  });

  it('lists checkpoints in pages, the newest first', async () => {
    const first = await app.request.get('/api/audit/checkpoints/?limit=1').expect(200);
    const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers['link'] as string)!;
    const second = await app.request.get(new URL(next!).pathname + new URL(next!).search).expect(200);
    expect(second.body[0].number).toBe(first.body[0].number - 1);
  });

  it('says nothing of another organization', async () => {
    const { org, request: agent } = await anotherTenant(app);
    const [invoice] = await shop.invoices();
    const none = await agent.get('/api/audit/checkpoints/latest/').expect(404);
    expect(none.body.title).toBe('not_found');
    await agent.post('/api/metrics/').send({ metric_name: 'x', event_name: 'y', aggregation_type: 'count' });
    const theirs = await sign(agent);
    expect(theirs.size).toBe((await storedEvents(org)).length);
    for (const query of [
      `invoice_id=${invoice.invoice_id}`,
      'usage_event_id=b-2',
      `position=${theirs.size}`,
    ]) {
      await agent.get(`/api/audit/proofs/?${query}`).expect(400);
    }
    expect((await keysOf(agent))[0]!.id).not.toBe((await keysOf())[0]!.id);
  });

  it.each(['', 'position=0&usage_event_id=b-2', 'position=-1', 'position=one'])(
    'refuses a question for a proof of %j',
    async (query) => {
      await app.request.get(`/api/audit/proofs/?${query}`).expect(400);
    },
  );
});

describe('erasing a customer', () => {
  it('keeps every leaf, proof and tree valid', async () => {
    await shop.customer('gone', { customer_name: 'Ada Erased' });
    const { size } = await sign();
    const before = await proven(`position=${size - 1}`);
    await app.request.post('/api/customers/gone/erase/').send({}).expect(200);
    expect(await proven(`position=${size - 1}`)).toEqual(before);
    expect((await sign()).size).toBeGreaterThan(size);
    expect(await proven(`position=${size - 1}`)).toEqual(before);
    expect(await app.service.app.get(TreeAudit).differences()).toEqual([]);
  });
});

describe('the doctor', () => {
  it('finds a usage row that was changed after a checkpoint, whatever body hash is stored with it', async () => {
    await sign();
    const change = (bytes: number) =>
      app.pool.query(
        `update usage_events set properties = jsonb_build_object('bytes', $1::int), body_hash = $3
          where org = $2 and idempotency_id = 'a-1'`,
        [bytes, app.org, rows[0]!.body_hash],
      );
    const { rows } = await app.pool.query<{ body_hash: Buffer }>(
      `select body_hash from usage_events where org = $1 and idempotency_id = 'a-1'`,
      [app.org],
    );
    await change(1000);
    expect(await app.service.app.get(TreeAudit).differences()).toEqual([
      expect.stringContaining(`organization ${app.org}: log and usage are not what checkpoint`),
    ]);
    await change(1);
    expect(await app.service.app.get(TreeAudit).differences()).toEqual([]);
  });
});

describe('the trees', () => {
  it('come to the same root when they are built anew from the log', async () => {
    const before = await sign();
    await app.service.app.get(Trees).rebuild();
    expect(await sign()).toEqual(before);
  });

  it('come to the same root when the process dies between any two statements', async () => {
    const before = await sign();
    const events = app.service.app.get<EventStore>(STORED_EVENTS);
    const goOn = await deleteTrees(app);
    let deaths = 0;
    for (let statements = 1; statements < 20; statements++) {
      const dying = new Trees({ pool: breakingAfter(app.pool, statements) } as unknown as Database, events);
      await dying.catchUp().catch(() => (deaths += 1));
    }
    goOn();
    expect(deaths).toBeGreaterThan(5);
    expect(await sign()).toEqual(before);
  });

  it('sign nothing that does not continue what was signed', async () => {
    const { size } = await sign();
    await shop.customer('later');
    const tile =
      'update transparency_tiles set hashes = overlay(hashes placing $1 from 1) where org = $2 and level = 0 and index = 0';
    const { rows } = await app.pool.query<{ first: Buffer }>(
      'select substr(hashes, 1, 32) as first from transparency_tiles where org = $1 and level = 0 and index = 0',
      [app.org],
    );
    await app.pool.query(tile, [Buffer.alloc(32), app.org]);
    const refused = await app.request.post('/api/audit/checkpoints/').expect(409);
    expect(refused.body.detail).toMatch(`of ${size} leaves`);
    expect(await warningsOf(app)).toEqual([refused.body.detail]);
    expect((await recount(app, 'doctor')).lines.join('\n')).toContain(refused.body.detail);
    await app.pool.query(tile, [rows[0]!.first, app.org]);
    expect((await sign()).size).toBeGreaterThan(size);
    expect(await warningsOf(app)).toEqual([]);
    expect((await recount(app, 'doctor')).isWell).toBe(true);
  });

  it('sign nothing when the kept checkpoint was changed', async () => {
    const { number, root } = await sign();
    const change = 'update transparency_checkpoints set root = $1 where org = $2 and number = $3';
    await app.pool.query(change, [Buffer.alloc(32), app.org, number]);
    const refused = await app.request.post('/api/audit/checkpoints/').expect(409);
    expect(refused.body.detail).toContain('is not as it was signed');
    await app.pool.query(change, [Buffer.from(root, 'base64'), app.org, number]);
    expect(toHex(fromBase64((await sign()).root)!)).toBe(toHex(fromBase64(root)!));
  });
});
