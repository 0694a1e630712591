import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import { pastMoment } from '../../src/platform/as-of/moment.js';
import { PastMoments } from '../../src/platform/as-of/past-moments.js';
import { Database } from '../../src/platform/database/open-database.js';
import { PAST_READ_CONNECTIONS } from '../../src/platform/database/pg-pool.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'];
const CALLERS = 8;
const MAX_WAITING = 100;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  await shopOf(app).customer('acme', { customer_name: 'Wanda Kowalska' });
  await app.advance('2026-02-01T00:00:00Z');
});
afterAll(() => app.stop());

/** Counts the connections that moments have. */
function openMoments(): number {
  const { past } = app.service.app.get(Database).reserved;
  return past.totalCount - past.idleCount;
}

const moments = () => app.service.app.get(PastMoments, { strict: false });
const momentAt = (at: string) => ({
  org: app.org,
  at: instant(at),
  about: [],
  signal: new AbortController().signal,
});

/** Returns the start time of the transaction whose tables answer for this moment. */
async function foldedAt(at: string): Promise<string> {
  return moments().run(momentAt(at), async () => {
    const { rows } = await pastMoment()!.pool.query<{ at: string }>(
      'select now()::text as at, (select count(*) from customers)',
    );
    return rows[0]!.at;
  });
}

describe('a moment that is read again', () => {
  it('is folded once for all who ask, one after the other or at once', async () => {
    const atOnce = await Promise.all(Array.from({ length: CALLERS }, () => foldedAt('2026-01-02')));
    expect(new Set([...atOnce, await foldedAt('2026-01-02')]).size).toBe(1);
  });

  it('is refused to whoever asks while a hundred wait for it', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const asked = Array.from({ length: 1 + MAX_WAITING + 1 }, () =>
      moments().run(momentAt('2026-01-02'), () => held),
    );
    try {
      const first = await Promise.race(asked.map((one) => one.catch((error: unknown) => error)));
      expect(first).toMatchObject({ code: 'unavailable' });
      const { body } = await app.request.get('/api/customers/?as_of=2026-01-02').expect(503);
      expect(body.detail).toMatch(/^Too many requests wait for this moment\. /);
    } finally {
      release();
    }
    const ends = await Promise.allSettled(asked);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1 + MAX_WAITING);
    await app.request.get('/api/customers/?as_of=2026-01-02').expect(200);
  });

  it('is kept on no more connections than there are, and closed soon', async () => {
    // Moments of earlier tests are closed first.
    await until(() => openMoments() === 0);
    // On a busy machine the first one may be closed before the last one is folded.
    await until(async () => {
      for (const day of DAYS) await foldedAt(day);
      return openMoments() === PAST_READ_CONNECTIONS;
    });
    await until(() => openMoments() === 0);
  });

  it('is folded anew when an event of it is recorded later', async () => {
    const read = () => app.request.get('/api/customers/?as_of=2026-02-01T00:00:00Z').expect(200);
    expect((await read()).body).toHaveLength(1);
    await shopOf(app).customer('globex');
    expect((await read()).body).toHaveLength(2);
  });

  it('is folded anew when usage of it arrives later', async () => {
    const read = () => app.request.get('/api/events/?as_of=2026-02-01T00:00:00Z').expect(200);
    expect((await read()).body).toEqual([]);
    await shopOf(app).use({
      at: '2026-01-31T12:00:00Z',
    });
    expect((await read()).body).toHaveLength(1);
  });

  it('names no person who was erased since it was read', async () => {
    const read = () => app.request.get('/api/customers/?as_of=2026-01-02T00:00:00Z').expect(200);
    expect(JSON.stringify((await read()).body)).toContain('Wanda');
    await app.request.post('/api/customers/acme/erase/').send({}).expect(200);
    expect(JSON.stringify((await read()).body)).not.toContain('Wanda');
  });
});
