import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { instant } from '../../../src/kernel/instant.js';
import type { Term } from '../../../src/subscription/domain/events.js';
import type { ReservationsPort } from '../../simulation/in-memory-reservations.js';
import { aTerm } from '../../support/builders/subscription.js';

const ORG = randomUUID();

/**
 * The contract of overlap reservations: terms of one customer on one version do not overlap
 * (docs/architecture.md#claims).
 */
export function overlapReservationsContract(name: string, open: () => Promise<ReservationsPort>): void {
  describe(`places of subscriptions in ${name}`, () => {
    let places: ReservationsPort;
    let customerKey: string;
    beforeEach(async () => {
      places = await open();
      customerKey = randomUUID();
    });

    /** A term of January 2026. */
    const term = (changes: Partial<Term> = {}): Term => ({
      ...aTerm(),
      subscriptionId: randomUUID(),
      customerKey,
      autoRenew: false,
      start: instant('2026-01-01'),
      end: instant('2026-02-01'),
      ...changes,
    });
    const february = { start: instant('2026-02-01'), end: instant('2026-03-01') };
    const refused = { code: 'overlapping_plans' };

    it('reserves a term once, and answers a repeat like the first time', async () => {
      const first = term();
      await places.reserve(ORG, first);
      await places.reserve(ORG, first);
      await expect(places.reserve(ORG, term())).rejects.toMatchObject(refused);
      await expect(places.requireNoOverlap(ORG, term())).rejects.toMatchObject(refused);
    });

    it('keeps reservations of other customers, versions, organizations and times apart', async () => {
      const first = term();
      await places.reserve(ORG, first);
      await places.reserve(ORG, term({ customerKey: randomUUID() }));
      await places.reserve(ORG, term({ basis: { ...first.basis, versionId: randomUUID() } }));
      await places.reserve(randomUUID(), term());
      await places.reserve(ORG, term(february));
    });

    it('reserves all later time for a renewing term', async () => {
      await places.reserve(ORG, term({ autoRenew: true }));
      await expect(places.reserve(ORG, term(february))).rejects.toMatchObject(refused);
    });

    it('checks for an overlap without reserving', async () => {
      await places.requireNoOverlap(ORG, term());
      await places.reserve(ORG, term());
    });

    it('frees the time after a term that ends earlier', async () => {
      const first = term({ autoRenew: true });
      await places.reserve(ORG, first);
      await places.update(ORG, { term: first, closedAt: february.start });
      await places.reserve(ORG, term(february));
    });

    it('frees a released reservation', async () => {
      const first = term();
      await places.reserve(ORG, first);
      await places.release(ORG, first.subscriptionId);
      await places.reserve(ORG, term());
    });

    it('transfers a reservation to a successor, and keeps it unchanged when the transfer is repeated', async () => {
      const first = term({ autoRenew: true });
      const next = term({ ...february, autoRenew: true });
      await places.reserve(ORG, first);
      expect(await places.transfer(ORG, first.subscriptionId, next)).toBe(true);
      await expect(places.reserve(ORG, term(february))).rejects.toMatchObject(refused);
      await expect(places.reserve(ORG, term())).rejects.toMatchObject(refused);
      expect(await places.transfer(ORG, first.subscriptionId, next)).toBe(true);
      await places.update(ORG, {
        term: { ...next, end: instant('2026-02-10') },
        closedAt: instant('2026-02-10'),
      });
      expect(await places.transfer(ORG, first.subscriptionId, next)).toBe(false);
      await places.reserve(ORG, term({ start: instant('2026-02-10'), end: instant('2026-02-20') }));
    });

    it('keeps the later end of two that changes of one term have reserved', async () => {
      const first = term();
      await places.reserve(ORG, first);
      await places.reserve(ORG, { ...first, end: instant('2026-03-01') });
      await places.reserve(ORG, { ...first, end: instant('2026-02-15') });
      await expect(
        places.reserve(ORG, term({ ...february, start: instant('2026-02-20') })),
      ).rejects.toMatchObject(refused);
    });

    it('moves the start of a reservation', async () => {
      const [first, later] = [term(), term({ start: instant('2026-01-10') })];
      await places.reserve(ORG, later);
      expect(await places.transfer(ORG, first.subscriptionId, { ...later, start: first.start })).toBe(false);
      await places.reserve(ORG, { ...first, end: later.start });
      await places.release(ORG, first.subscriptionId);
      await places.update(ORG, { term: { ...later, start: first.start }, closedAt: null });
      await expect(places.reserve(ORG, { ...first, end: later.start })).rejects.toMatchObject(refused);
    });
  });
}
