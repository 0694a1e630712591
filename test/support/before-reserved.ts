import { OverlapReservations } from '../../src/subscription/overlap-reservations.js';
import type { TestApp } from './app.js';

/** Runs other requests once, between the decision of the next change of subscriptions and its reservations. */
export function beforeReserved(app: TestApp, act: () => PromiseLike<unknown>): void {
  const reservations = app.service.app.get(OverlapReservations, { strict: false });
  const { reserve, reserveNew } = reservations;
  const actOnce = async () => {
    Object.assign(reservations, { reserve, reserveNew });
    await act();
  };
  reservations.reserve = async (...terms) => {
    await actOnce();
    return reserve.apply(reservations, terms);
  };
  reservations.reserveNew = async (...terms) => {
    await actOnce();
    return reserveNew.apply(reservations, terms);
  };
}
