import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecountClient } from '../support/recount-client.js';
import { booksOf } from '../crash/books.js';
import { runWorkload, START } from '../crash/workload.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase } from '../support/postgres.js';
import { verifyAll } from '../support/verify-all.js';

describe('everything sent to both of two processes at once, under the same key', () => {
  it('is done once: the books are those of one process that is asked once', async () => {
    const books: (readonly string[])[] = [];
    for (const processes of [1, 2]) {
      const database = await createTestDatabase('recount_with_read_models');
      const options = { databaseUrl: database.url, eventStoreUrl: '', clockStart: START };
      const apps: TestApp[] = [];
      for (let started = 0; started < processes; started++) apps.push(await startTestApp(options));
      const ask = async (app: TestApp, key: string, path: string, body: object) => {
        for (;;) {
          const answer = await app.request.post(path).set('Idempotency-Key', key).send(body);
          if (answer.status < 300) return answer.body as Record<string, unknown>;
          if (answer.status !== 409) throw new Error(`${path}: ${answer.status} ${answer.text}`);
          await sleep(10);
        }
      };
      await runWorkload(async (key, path, body) => {
        const [first, ...others] = await Promise.all(apps.map((app) => ask(app, key, path, body)));
        for (const other of others) expect(other).toEqual(first);
        return first!;
      });
      books.push(await booksOf(new RecountClient(apps[0]!.url, apps[0]!.key)));
      await verifyAll(apps[0]!);
      for (const app of apps) await app.stop();
      await database.drop();
    }
    expect(books[1]).toEqual(books[0]);
  });
});
