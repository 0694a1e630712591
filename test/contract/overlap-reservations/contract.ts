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

    it('a place is taken once, and a repeat meets its own', async () => {
      const first = term();
      await places.reserve(ORG, first);
      await places.reserve(ORG, first);
      await expect(places.reserve(ORG, term())).rejects.toMatchObject(refused);
      await expect(places.requireNoOverlap(ORG, term())).rejects.toMatchObject(refused);
    });

    it('another customer, version, organization or time has its own place', async () => {
      const first = term();
      await places.reserve(ORG, first);
      await places.reserve(ORG, term({ customerKey: randomUUID() }));
      await places.reserve(ORG, term({ basis: { ...first.basis, versionId: randomUUID() } }));
      await places.reserve(randomUUID(), term());
      await places.reserve(ORG, term(february));
    });

    it('a term that renews itself takes all the time after it', async () => {
      await places.reserve(ORG, term({ autoRenew: true }));
      await expect(places.reserve(ORG, term(february))).rejects.toMatchObject(refused);
    });

    it('to ask whether a place is free takes none', async () => {
      await places.requireNoOverlap(ORG, term());
      await places.reserve(ORG, term());
    });

    it('a place that ends earlier is free from there on', async () => {
      const first = term({ autoRenew: true });
      await places.reserve(ORG, first);
      await places.endAt(ORG, first.subscriptionId, february.start);
      await places.reserve(ORG, term(february));
    });

    it('a place that was given up is free', async () => {
      const first = term();
      await places.reserve(ORG, first);
      await places.release(ORG, first.subscriptionId);
      await places.reserve(ORG, term());
    });

    it('a successor has the place of the term before, and keeps what it is when it is passed on again', async () => {
      const first = term({ autoRenew: true });
      const next = term({ ...february, autoRenew: true });
      await places.reserve(ORG, first);
      await places.transfer(ORG, first.subscriptionId, next);
      await expect(places.reserve(ORG, term(february))).rejects.toMatchObject(refused);
      await expect(places.reserve(ORG, term())).rejects.toMatchObject(refused);
      await places.endAt(ORG, next.subscriptionId, instant('2026-02-10'));
      await places.transfer(ORG, first.subscriptionId, next);
      await places.reserve(ORG, term({ start: instant('2026-02-10'), end: instant('2026-02-20') }));
    });
  });
}
