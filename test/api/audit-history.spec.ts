import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Shown {
  readonly position: string;
  readonly type: string;
  readonly effective_at: string;
  readonly recorded_at: string;
  readonly actor: string;
  readonly data: {
    readonly lines?: readonly { readonly subscriptionId: string }[];
    readonly quantity?: string;
  };
}
interface History {
  readonly predecessor: { readonly subscription_id: string; readonly history: string } | null;
  readonly successor: { readonly subscription_id: string; readonly history: string } | null;
  readonly events: readonly Shown[];
}

let app: TestApp;
let first: string;
let other: string;

const pathOf = (id: string, query = '') => `/api/subscriptions/${id}/history/${query && `?${query}`}`;
const history = async (id: string, query = ''): Promise<History> =>
  (await app.request.get(pathOf(id, query)).expect(200)).body;
const typesOf = ({ events }: History) => events.map(({ type }) => type);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  const components = [aComponentBody(await shop.metric())];
  const metered = await shop.plan('Metered', { components });
  const flat = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  await shop.customer('acme');
  first = (await shop.subscribe('acme', metered, '2026-01-01')).subscription_id;
  other = (await shop.subscribe('acme', flat, '2026-01-01')).subscription_id;
  await shop.use(...times(101, '2026-01-01T00:00:00Z'));
  await app.advance('2026-02-02T00:00:00Z');
});
afterAll(() => app.stop());

describe('GET /api/subscriptions/{id}/history/', () => {
  it('tells what happened to the term and how it was billed, in the order of the log', async () => {
    const told = await history(first);
    const billed = ['InvoiceComputed', 'InvoiceIssued'];
    expect(typesOf(told).filter((type) => type !== 'InvoicePaid')).toEqual([
      'SubscriptionStarted',
      ...billed,
      'SubscriptionRenewed',
      'UsagePeriodClosed',
      ...billed,
    ]);
    const [started] = told.events;
    expect(started).toMatchObject({
      effective_at: '2026-01-01T00:00:00Z',
      recorded_at: '2026-01-01T00:00:00Z',
      data: { term: { autoRenew: true }, origin: { kind: 'created' } },
    });
    expect(started!.actor).not.toBe('system');
    expect(told.events.find(({ type }) => type === 'SubscriptionRenewed')).toMatchObject({
      effective_at: '2026-02-01T00:00:00Z',
      actor: 'system',
    });
    expect(told.events.find(({ type }) => type === 'UsagePeriodClosed')).toMatchObject({
      effective_at: '2026-02-01T00:00:00Z',
      recorded_at: '2026-02-01T00:30:00Z',
      data: { quantity: '101' },
    });
    for (const stream of ['subscription', 'account']) {
      const places = told.events.map(({ position }) => position.split('/'));
      const revisions = places.flatMap(([of, revision]) => (of === stream ? [Number(revision)] : []));
      expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
      expect(revisions.length).toBeGreaterThan(1);
    }
    expect(started!.position).toBe('subscription/0');
  });

  it('shows of an invoice the lines of the term alone', async () => {
    for (const id of [first, other]) {
      const { events } = await history(id);
      const lines = events.flatMap(({ data }) => data.lines ?? []);
      expect(lines.length).toBeGreaterThan(0);
      expect(new Set(lines.map(({ subscriptionId }) => subscriptionId.replaceAll('-', '')))).toEqual(
        new Set([id.replace('sub_', '')]),
      );
    }
  });

  it('leads from term to term', async () => {
    const { predecessor, successor } = await history(first);
    expect(predecessor).toBeNull();
    const next: History = (await app.request.get(successor!.history).expect(200)).body;
    expect(next.predecessor!.subscription_id).toBe(first);
    expect(next.successor).toBeNull();
    expect(next.events[0]!.type).toBe('SubscriptionStarted');
  });

  it('is as it was known at a time', async () => {
    const early = await history(first, 'as_of=2026-01-31T23:59:59Z');
    expect(typesOf(early)).toContain('InvoiceIssued');
    expect(typesOf(early)).not.toContain('SubscriptionRenewed');
    expect(early.successor).toBeNull();
    const renewed = await history(first, 'as_of=2026-02-01T00:29:59Z');
    expect(typesOf(renewed).at(-1)).toBe('SubscriptionRenewed');
    expect((await app.request.get(pathOf(first, 'as_of=2025-12-31')).expect(404)).body.title).toBe(
      'resource_not_found',
    );
  });

  it('comes in pages that hold every event once', async () => {
    const whole = await history(first);
    const seen: Shown[] = [];
    for (let next: string | undefined = pathOf(first, 'limit=2'); next;) {
      const page: Response = await app.request.get(next).expect(200);
      expect(page.body.events.length).toBeLessThanOrEqual(2);
      seen.push(...(page.body.events as Shown[]));
      next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1]?.replace(app.url, '');
    }
    expect(seen).toEqual(whole.events);
  });

  it('refuses a cursor and a time that cannot be read', async () => {
    expect(fieldErrorsOf((await app.request.get(pathOf(first, 'cursor=x')).expect(400)).body)).toEqual({
      cursor: 'invalid',
    });
    expect(fieldErrorsOf((await app.request.get(pathOf(first, 'as_of=once')).expect(400)).body)).toEqual({
      as_of: 'invalid',
    });
  });

  it('an unknown term, a text that cannot be one, and another tenant’s are not found', async () => {
    const tenant = await anotherTenant(app);
    for (const id of ['sub_00000000000040008000000000000001', 'sub_1']) {
      expect((await app.request.get(pathOf(id)).expect(404)).body.title).toBe('resource_not_found');
    }
    expect((await tenant.request.get(pathOf(first)).expect(404)).body.title).toBe('resource_not_found');
  });

  it('reading it changes nothing', async () => {
    expect(await verifyAll(app)).toBe(3);
  });
});
