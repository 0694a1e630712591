import { DomainError } from '../../src/kernel/errors.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Instant } from '../../src/kernel/instant.js';
import {
  overlaps,
  reservationOf,
  type OverlapReservation,
} from '../../src/subscription/domain/overlap-reservation.js';
import type { Term } from '../../src/subscription/domain/events.js';
import type { TermState } from '../../src/subscription/domain/term-state.js';
import type { OverlapReservations } from '../../src/subscription/overlap-reservations.js';

/** Methods of `OverlapReservations` that the simulation replaces. */
export type ReservationsPort = Pick<
  OverlapReservations,
  'reserve' | 'reserveNew' | 'requireNoOverlap' | 'transfer' | 'update' | 'release'
>;

interface Held extends OverlapReservation {
  readonly org: Uuid;
  readonly customerKey: Uuid;
}

/** Overlap reservations in memory, with the contract of the table (test/contract/overlap-reservations). */
export class InMemoryReservations implements ReservationsPort {
  readonly #held = new Map<Uuid, Held>();

  /** @param isAbandoned returns whether a reservation belongs to a command that died before it wrote the term */
  constructor(private readonly isAbandoned: (org: Uuid, subscriptionId: Uuid) => Promise<boolean>) {}

  async reserve(org: Uuid, ...terms: readonly Term[]): Promise<void> {
    await this.take(org, terms, (held, end) =>
      held.end === null || (end && held.end > end) ? held.end : end,
    );
  }

  private async take(
    org: Uuid,
    terms: readonly Term[],
    endOf: (held: Held, end: Instant | null) => Instant | null,
  ): Promise<void> {
    const before = new Map(this.#held);
    try {
      for (const term of terms) {
        await this.requireNoOverlap(org, term);
        const { customerKey, subscriptionId } = term;
        const [wanted, held] = [reservationOf(term), this.#held.get(subscriptionId)];
        const end = held ? endOf(held, wanted.end) : wanted.end;
        this.#held.set(subscriptionId, { ...wanted, end, org, customerKey });
      }
    } catch (error) {
      for (const { subscriptionId } of terms) {
        const was = before.get(subscriptionId);
        if (was) this.#held.set(subscriptionId, was);
        else this.#held.delete(subscriptionId);
      }
      throw error;
    }
  }

  /** The simulation restricts no plan. */
  async reserveNew(org: Uuid, _plan: object, ...terms: readonly Term[]): Promise<boolean> {
    await this.take(org, terms, (_, end) => end);
    return true;
  }

  async requireNoOverlap(org: Uuid, term: Term): Promise<void> {
    const wanted = reservationOf(term);
    for (const held of [...this.#held.values()]) {
      const isOther = held.org === org && held.customerKey === term.customerKey;
      if (!isOther || held.subscriptionId === wanted.subscriptionId || !overlaps(held, wanted)) continue;
      if (!(await this.isAbandoned(org, held.subscriptionId))) {
        throw new DomainError('overlapping_plans', 'The customer has an overlapping subscription.');
      }
      this.#held.delete(held.subscriptionId);
    }
  }

  async transfer(org: Uuid, predecessor: Uuid, successor: Term): Promise<boolean> {
    const former = this.#held.get(predecessor);
    if (former?.org === org) this.#held.set(predecessor, { ...former, end: successor.start });
    const { customerKey, subscriptionId } = successor;
    const [begun, known] = [reservationOf(successor), this.#held.get(subscriptionId)];
    if (known) return known.start === begun.start && known.end === begun.end;
    this.#held.set(subscriptionId, { ...begun, org, customerKey });
    return true;
  }

  async update(org: Uuid, { term, closedAt }: Pick<TermState, 'term' | 'closedAt'>): Promise<void> {
    const held = this.#held.get(term.subscriptionId);
    const end = closedAt === null ? reservationOf(term).end : term.end;
    if (held?.org === org) this.#held.set(term.subscriptionId, { ...held, start: term.start, end });
  }

  async release(org: Uuid, subscriptionId: Uuid): Promise<void> {
    if (this.#held.get(subscriptionId)?.org === org) this.#held.delete(subscriptionId);
  }
}
