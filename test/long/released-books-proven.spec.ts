import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import { orgOfStream } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { SignedCheckpoints } from '../../src/transparency/signed-checkpoints.js';
import { ListSigningKeys } from '../../src/transparency/queries/list-signing-keys.js';
import { TreeReader } from '../../src/transparency/tree-reader.js';
import { Trees } from '../../src/transparency/trees.js';
import { storedBooks } from '../books/books.js';
import { startOnWholeBooks } from '../books/opened-books.js';
import { verify } from '../cli/evidence/verify-file.js';
import type { TestApp } from '../support/app.js';
import { recount } from '../support/recount.js';

/** Events from before the first tree are added once, in order. */
describe.each(storedBooks())('the books that policy %s wrote, taken into a tree', (name) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recount-books-'));
  let app: TestApp;
  let org: Uuid;
  let size: number;

  beforeAll(async () => {
    app = await startOnWholeBooks(name);
    const { rows } = await app.pool.query<{ org: Uuid }>('select distinct org from invoices');
    expect(rows).toHaveLength(1);
    org = rows[0]!.org;
    const signed = await app.service.app.get(SignedCheckpoints, { strict: false }).sign(org, 'request');
    size = Number(signed.size);
  });
  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('have every event in the order of the log, and every batch in the order of its number', async () => {
    const logged: string[] = [];
    for await (const { stream, revision } of app.service.app.get<EventStore>(EVENT_STORE).readAll()) {
      if (orgOfStream(stream) === org) logged.push(`${stream}@${revision}`);
    }
    const { rows } = await app.pool.query<{ leaves: string[] }>(
      'select leaves from transparency_tiles where org = $1 and level = 0 order by index',
      [org],
    );
    const leaves = rows.flatMap((row) => row.leaves);
    expect(leaves).toHaveLength(size);
    const events = leaves.filter((leaf) => !leaf.startsWith('#'));
    expect(events).toEqual(logged.slice(0, events.length));
    const sealed = await app.pool.query<{ count: string }>(
      'select count(*) from usage_batches where org = $1 and sealed_number is not null',
      [org],
    );
    const batches = leaves.filter((leaf) => leaf.startsWith('#'));
    expect(batches).toHaveLength(Number(sealed.rows[0]!.count));
    expect(batches).toEqual(batches.map((_, index) => `#${index + 1}`));
    expect(batches.length).toBeGreaterThan(0);
  });

  it('come to the same root when the tree is built anew', async () => {
    const reader = app.service.app.get(TreeReader, { strict: false });
    const before = await reader.root(org, size);
    await app.service.app.get(Trees, { strict: false }).rebuild();
    expect(await reader.root(org, size)).toEqual(before);
  });

  it('are exported, and verify with the key', async () => {
    const file = path.join(folder, 'books.zip');
    expect((await recount(app, 'audit', 'export', file, '--from', '2000-01-01')).isWell).toBe(true);
    const [key] = await app.service.app.get(QueryBus, { strict: false }).execute(new ListSigningKeys(org));
    const { code, text } = await verify(file, '--key', key!.shown.verifier_key);
    expect(text).toMatch(/\n\d{3,} invoices computed again in [\d.]+ s: all as issued\n$/);
    expect(code).toBe(0);
  });
});
