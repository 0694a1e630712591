import { beforeAll, describe, expect, it } from '@jest/globals';
import { namedId, type Uuid } from '../../../src/kernel/ids.js';
import { HOUR, instant, plusMicros } from '../../../src/kernel/instant.js';
import { bodyHashOf, type UsageEvent } from '../../../src/metering/domain/usage-event.js';
import type { UsagePort } from '../../simulation/in-memory-usage.js';
import { COUNTER } from '../../support/builders/billing.js';
import { newOrg } from '../../metering/usage-database.js';

const CUSTOMER = namedId('a customer');
const MARCH = { start: instant('2026-03-01'), end: instant('2026-04-01') };
const NOON = instant('2026-03-10T12:00:00Z');

/** The contract of usage storage that billing runs rely on (docs/architecture.md#usage-log). */
export function usageContract(name: string, open: () => Promise<UsagePort>): void {
  describe(`usage in ${name}`, () => {
    let usage: UsagePort;
    let org: Uuid;
    beforeAll(async () => {
      usage = await open();
      org = newOrg();
    });

    const event = (id: string, time = NOON, n = 1): UsageEvent => {
      const properties = JSON.stringify({ n });
      const content = { idempotencyId: id, customerKey: CUSTOMER, eventName: 'call', time, properties };
      return { ...content, bodyHash: bodyHashOf(content) };
    };
    const send = (of: Uuid, ...events: UsageEvent[]) =>
      usage.append(of, NOON, new Map(events.map((one) => [one.idempotencyId, one])));
    const count = async (of: Uuid, sealedUpTo: bigint) => {
      const question = { customerKey: CUSTOMER, definition: COUNTER, filters: [], window: MARCH };
      return (await usage.countMany([{ ...question, org: of, sealedUpTo }]))[0]!;
    };

    it('stores an event once, and returns the stored body hash for a repeated id', async () => {
      expect(await send(org, event('a'))).toEqual(new Map());
      expect(await send(org, event('a'), event('b'))).toEqual(new Map([['a', event('a').bodyHash]]));
      expect(await send(org, event('a', NOON, 5))).toEqual(new Map([['a', event('a').bodyHash]]));
      expect(await count(org, await usage.seal(org))).toMatchObject({ eventCount: 2, quantity: '2' });
    });

    it('numbers sealed batches from 1 and answers 0 before the first', async () => {
      const other = newOrg();
      expect(await usage.seal(other)).toBe(0n);
      await send(other, event('a'));
      await send(other, event('b'));
      expect([await usage.seal(other), await usage.seal(other)]).toEqual([2n, 2n]);
    });

    it('returns the same count up to a batch number after later batches', async () => {
      const other = newOrg();
      await send(other, event('a'));
      const sealed = await usage.seal(other);
      const before = await count(other, sealed);
      await send(other, event('b'));
      expect((await count(other, await usage.seal(other))).eventCount).toBe(2);
      expect(await count(other, sealed)).toEqual(before);
    });

    it('finds late usage of a window and when it arrived, without events that were counted', async () => {
      const other = newOrg();
      await send(other, event('a'));
      const countedUpTo = (await usage.seal(other)).toString();
      const reading = {
        customerKey: CUSTOMER,
        eventName: 'call',
        from: MARCH.start,
        to: MARCH.end,
        countedUpTo,
      };
      const late = () => usage.firstReceived(other, [{ ...reading, eventName: 'other' }, reading]);
      expect(await late()).toEqual(new Map());
      await send(other, event('outside', MARCH.end));
      expect(await late()).toEqual(new Map());
      await send(other, event('b'));
      expect(await late()).toEqual(new Map([[1, NOON]]));
      await usage.seal(other);
      expect(await late()).toEqual(new Map([[1, NOON]]));
      expect(await usage.firstReceived(other, [reading], [NOON])).toEqual(new Map());
      expect(await usage.firstReceived(other, [reading], [plusMicros(NOON, -HOUR)])).toEqual(
        new Map([[0, NOON]]),
      );
    });
  });
}
