import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toWireId } from '../../src/kernel/ids.js';
import { TransparencyWorker } from '../../src/transparency/transparency-worker.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

const MORE_THAN_AT_ONCE = 1_500;

const directory = mkdtempSync(path.join(tmpdir(), 'checkpoint-files-'));
afterAll(() => rmSync(directory, { recursive: true }));

let database: TestDatabase;
let app: TestApp;
let folder: string;
let created = 0;
const start = async (): Promise<void> => {
  app = await startTestApp({ databaseUrl: database.url, env: { AUDIT_DIRECTORY: directory } });
};
beforeEach(async () => {
  database = await createTestDatabase('recount_with_read_models');
  await start();
  folder = path.join(directory, toWireId('org', app.org));
});
afterEach(async () => {
  await app.stop();
  dropEventLog(database.url);
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Signs a checkpoint of a new customer and returns its note. */
async function sign(): Promise<string> {
  await shopOf(app).customer(`customer-${(created += 1)}`);
  const { body } = await app.request.post('/api/audit/checkpoints/').expect(201);
  return body.note as string;
}
const fileOf = (number: number): string =>
  path.join(folder, `${String(number).padStart(12, '0')}.checkpoint`);
async function warnings(): Promise<string[] | undefined> {
  await app.service.app.get(TransparencyWorker).refreshWarnings();
  // A service that has just started is ready once its read models have the log.
  const ready = await until(async () => {
    const { status, body } = await app.request.get('/api/readiness/');
    return status === 200 && { warnings: body.warnings as string[] | undefined };
  });
  return ready.warnings;
}

describe('files of checkpoints', () => {
  it.each(['', 'recount/org_'])('that were cut are written again by the next start: %j', async (rest) => {
    const notes = [await sign(), await sign(), await sign()];
    writeFileSync(fileOf(1), rest && notes[0]!.slice(0, rest.length));
    await app.stop();
    await start();
    notes.push(await sign());
    expect(notes.map((_, at) => readFileSync(fileOf(at + 1), 'utf8'))).toEqual(notes);
    expect(await warnings()).toBeUndefined();
  });

  it('that are not the checkpoint of their name stay, and readiness and doctor say so', async () => {
    await sign();
    writeFileSync(fileOf(2), 'another file\n');
    await sign();
    expect(readFileSync(fileOf(2), 'utf8')).toBe('another file\n');
    expect(await warnings()).toEqual([
      expect.stringMatching(/^A file in AUDIT_DIRECTORY is not the checkpoint/),
    ]);
    expect((await recount(app, 'doctor')).isWell).toBe(false);
    rmSync(fileOf(2));
    await sign();
    expect(await warnings()).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it('that cannot be written are a warning until the next checkpoint writes them', async () => {
    await sign();
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, 'no directory');
    await sign();
    expect(await warnings()).toEqual([
      'Checkpoints could not be written to AUDIT_DIRECTORY (EEXIST). The next checkpoint retries.',
    ]);
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
    const note = await sign();
    expect(readFileSync(fileOf(3), 'utf8')).toBe(note);
    expect(readdirSync(folder)).toHaveLength(3);
    expect(await warnings()).toBeUndefined();
  });

  it('that are missing behind a written one are written by the next checkpoint', async () => {
    const notes = [await sign()];
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, 'no directory');
    notes.push(await sign());
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
    // The newest file can be written, and the one before it cannot.
    mkdirSync(fileOf(2));
    notes.push(await sign());
    expect(readFileSync(fileOf(3), 'utf8')).toBe(notes[2]);
    expect(await warnings()).toHaveLength(1);
    rmSync(fileOf(2), { recursive: true });
    notes.push(await sign());
    expect(notes.map((_, at) => readFileSync(fileOf(at + 1), 'utf8'))).toEqual(notes);
    expect(await warnings()).toBeUndefined();
  });

  it('are all written after the directory was away for more than are written at once', async () => {
    await sign();
    await app.pool.query(
      `insert into transparency_checkpoints (org, number, id, size, root, note, cause, made_at)
        select org, n, gen_random_uuid(), size, root, note, cause, made_at
        from transparency_checkpoints, generate_series(2, $1) n`,
      [MORE_THAN_AT_ONCE],
    );
    await sign();
    expect(readdirSync(folder)).toHaveLength(1 + 1_000);
    await sign();
    expect(readdirSync(folder)).toHaveLength(MORE_THAN_AT_ONCE + 2);
  });
});

it('a file that is no checkpoint is a finding of the doctor, which compares the others', async () => {
  await sign();
  const other = path.join(folder, 'other.checkpoint');
  writeFileSync(other, '');
  const inFolder = path.join(folder, 'folder.checkpoint');
  mkdirSync(inFolder);
  const { lines, isWell } = await recount(app, 'doctor', '--checkpoints', folder);
  expect(isWell).toBe(false);
  expect(lines.slice(0, 3)).toEqual([
    'BROKEN  every kept file is a checkpoint',
    expect.stringContaining(`${inFolder} is a folder. Give a file.`),
    expect.stringMatching(/other\.checkpoint is no checkpoint: /),
  ]);
  expect(lines).toContain('holds   log and usage are what the kept checkpoints cover');
  for (const one of [other, inFolder]) rmSync(one, { recursive: true });
  expect((await recount(app, 'doctor', '--checkpoints', folder)).isWell).toBe(true);
});
