import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryResult } from 'pg';
import type { Response } from 'supertest';
import { DomainError } from '../../src/kernel/errors.js';
import { instant } from '../../src/kernel/instant.js';
import { pastMoment, type PastMoment } from '../../src/platform/as-of/moment.js';
import { PastMoments } from '../../src/platform/as-of/past-moments.js';
import { ApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { anotherTenant } from '../support/another-tenant.js';
import { allOperations, type Operation } from '../support/api-contract/operation.js';
import type { Ids } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  addErasable,
  sendReads,
  repeatReads,
  recordAnswers,
  RandomHistory,
  readsOfThePast,
  stopSender,
  withoutPerson,
  type RecordedAnswers,
} from '../support/recorded-answers.js';
import { Random } from '../support/random.js';
import { richTenant } from '../support/rich-tenant.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;
let reads: Operation[];
let ids: Ids;
let then: RecordedAnswers;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  await stopSender(app);
  reads = readsOfThePast(app);
  ids = { ...(await richTenant(app, 'past')), event_name: 'past event' };
  await shopOf(app).subscribe(ids['other_customer_id']!, ids['plan_id']!, '2026-01-10');
  await addErasable(app, ids);
  then = await recordAnswers(app, reads, ids, new Random(3));
  await new RandomHistory(app, ids, new Random(7)).go(12);
});
afterAll(() => app.stop());

const faultOf = ({ status, body }: Response) => ({
  status,
  fields: (body.validation_errors as { attr: string; code: string }[]).map(({ attr, code }) => [attr, code]),
});

describe('an answer as of a moment', () => {
  it('is the answer that was kept then but for the person erased since, of every read that takes as_of', async () => {
    for (const [index, answer] of (await repeatReads(app.request, reads, ids, then)).entries())
      expect(answer).toEqual(withoutPerson(then.answers[index]!));
  });

  it('leaves the answers of the present as they are, at once with them', async () => {
    const counting = reads.filter(({ name }) => /usage|draft|access|plans|subscriptions\/$/.test(name));
    const present = await sendReads(app.request, counting, ids);
    const [past, beside] = await Promise.all([
      sendReads(app.request, counting, ids, then.at),
      sendReads(app.request, counting, ids),
    ]);
    expect(beside).toEqual(present);
    expect(past).not.toEqual(present);
  });

  it('comes in pages that are all of that moment', async () => {
    const { body: whole } = await app.request.get(`/api/customers/?as_of=${then.at}`).expect(200);
    const seen: unknown[] = [];
    for (let next: string | undefined = `/api/customers/?limit=1&as_of=${then.at}`; next;) {
      const page: Response = await app.request.get(next).expect(200);
      seen.push(...(page.body as unknown[]));
      next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1]?.replace(app.url, '');
    }
    expect(seen).toEqual(whole);
    expect(seen.length).toBeGreaterThan(1);
  });

  it('that is refused leaves nothing of its reads to the next on its connection', async () => {
    const moments = app.service.app.get(PastMoments, { strict: false });
    const read = (work: (moment: PastMoment) => Promise<unknown>) => {
      const asked = {
        org: app.org,
        at: instant(then.at),
        about: [],
        signal: new AbortController().signal,
      };
      return moments.run(asked, () => work(pastMoment()!));
    };
    const subscriptions = 'select count(*)::int as count from subscriptions';
    const refused = read(({ pool }) =>
      Promise.all([pool.query(subscriptions), Promise.reject(new DomainError('not_found', 'Refused.'))]),
    );
    await expect(refused).rejects.toThrow('Refused.');
    // Each of the three connections answers a read, including that of the refused read.
    const counts = await Promise.all([1, 2, 3].map(() => read(({ pool }) => pool.query(subscriptions))));
    expect(counts.map((each) => (each as QueryResult).rows)).toEqual(
      Array(3).fill([{ count: expect.any(Number) }]),
    );
  });

  it('is the same however its name is encoded', async () => {
    const { body: past } = await app.request.get(`/api/customers/?as_of=${then.at}`).expect(200);
    const { body: present } = await app.request.get('/api/customers/').expect(200);
    expect(past).not.toEqual(present);
    for (const name of ['as%5Fof', '%61s_of', 'as_o%66']) {
      const { body } = await app.request.get(`/api/customers/?${name}=${then.at}`).expect(200);
      expect(body).toEqual(past);
    }
  });

  it('is of the own organization', async () => {
    const stranger = await anotherTenant(app);
    const now = (await stranger.request.get('/api/test_clock/').expect(200)).body.now as string;
    const { body } = await stranger.request.get(`/api/customers/?as_of=${now}`).expect(200);
    expect(body).toEqual([]);
  });
});

describe('as_of', () => {
  it('is a moment, and not one to come', async () => {
    expect(faultOf(await app.request.get('/api/plans/?as_of=once'))).toEqual({
      status: 400,
      fields: [['as_of', 'invalid']],
    });
    expect(faultOf(await app.request.get('/api/plans/?as_of=2999-01-01T00:00:00Z'))).toEqual({
      status: 400,
      fields: [['as_of', 'max_value']],
    });
  });

  it('is refused where an operation writes, or has no past', async () => {
    const all = allOperations(app.service.app.get(ApiDocument).get());
    const without = all.filter((operation) => !operation.queryNames().includes('as_of'));
    const readsWithout = without.filter(({ operation: { method } }) => method === 'get');
    expect(readsWithout.map(({ name }) => name)).toEqual(WITHOUT_PAST);
    const { paths } = app.service.app.get(ApiDocument).get();
    for (const { operation } of readsWithout) {
      expect(paths[operation.path]!['get']!['description']).toMatch(/Takes no `as_of`\. [A-Z][^.]+\./);
    }
    const refused = await app.request.post(`/api/plans/${ids['plan_id']}/delete/?as_of=${then.at}`);
    expect(faultOf(refused)).toEqual({ status: 400, fields: [['as_of', 'invalid']] });
    const state = await app.request.get(`/api/read_models/?as_of=${then.at}`);
    expect(faultOf(state)).toEqual({ status: 400, fields: [['as_of', 'invalid']] });
    expect(state.body.validation_errors[0].detail).toBe(
      'This operation takes no as_of. How far the read models have come is the state of the running service. Leave it out.',
    );
  });
});

/** Reads that docs/contract.md#as-of lists as having no past, each with its sentence in the API document. */
const WITHOUT_PAST = [
  'get /api/healthcheck/',
  'get /api/openapi.json',
  'get /api/read_models/',
  'get /api/readiness/',
];
