import { performance } from 'node:perf_hooks';
import { DomainError } from '../../../kernel/errors.js';
import { longWorkQueue } from '../../concurrency/long-work.js';
import { TooManyRequests } from './too-many-requests.js';

/** Slots of an organization while others are active and the process is busy. */
const SLOTS_WHEN_BUSY = 3;
/** Slots while requests wait for stores more than they compute. */
const SLOTS_WHEN_IDLE = 12;
/** Utilization of the event loop above which the process is busy. */
const BUSY_UTILIZATION = 0.5;
const MEASURE_EVERY_MS = 100;
const MAX_WAITING = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Time after which a read releases its slots, as it waits rather than computes. */
const LONGEST_HELD_MS = 1_000;
/** Time without a request after which an organization is not active. */
const QUIET_MS = 5_000;

/** Sender of the look-ups of keys whose organization is not known yet. */
export const UNKNOWN_SENDER = 'unknown';

interface Work {
  /** Slots that the request takes; with more than there are, it runs alone. */
  readonly slots?: number;
  /** True if the request has run before; it then goes before new ones. */
  readonly isBegun?: boolean;
  /** True if the request keeps its slots until it ends: a command that takes long works on many streams. */
  readonly isCommand?: boolean;
  /** Returns whether the client has disconnected; called when a slot is free. */
  readonly hasLeft?: () => boolean;
}

interface Waiting {
  readonly slots: number;
  readonly begin: () => void;
}

class Share {
  held = 0;
  usedAt = 0;
  readonly begun = new Set<Waiting>();
  readonly fresh = new Set<Waiting>();

  get waiting(): number {
    return this.begun.size + this.fresh.size;
  }

  constructor(
    private readonly slots: () => number,
    private readonly isAlone: () => boolean,
  ) {}

  hasRoomFor(slots: number): boolean {
    return this.isAlone() || this.held === 0 || this.held + slots <= this.slots();
  }

  refund(slots: number): void {
    this.held -= slots;
    this.admit();
  }

  /** Begins waiting requests in order, while slots are free. */
  admit(): void {
    for (;;) {
      const [next] = this.begun.size > 0 ? this.begun : this.fresh;
      if (!next || !this.hasRoomFor(next.slots)) return;
      this.begun.delete(next);
      this.fresh.delete(next);
      this.held += next.slots;
      next.begin();
    }
  }
}

/**
 * Shares the process among organizations. It limits the concurrent requests of each; further ones wait in order. There is
 * no limit while only one organization is active.
 */
export class FairRequestLimiter {
  readonly #shares = new Map<string, Share>();
  #sweptAt = 0;

  /** @param slots returns the slots of an organization while others are active */
  constructor(
    private readonly slots: () => number = slotsByLoad(),
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Runs a request when its organization has free slots.
   * @param sender an organization, or `UNKNOWN_SENDER`
   * @throws TooManyRequests if too many requests of the organization wait, or this one has waited too long
   * @throws DomainError `invalid_operation` if the client disconnected while it waited
   */
  async run<Result>(sender: string, work: () => Promise<Result>, needs: Work = {}): Promise<Result> {
    const share = this.#shareOf(sender);
    const { slots = 1 } = needs;
    // Waiting requests can begin, as other organizations may have become quiet.
    share.admit();
    const isCrowded = share.waiting > 0 || !share.hasRoomFor(slots);
    if (isCrowded) await waitIn(share, slots, needs.isBegun ?? false);
    else share.held += slots;
    const ended = longWorkQueue.begin(sender);
    let isHeld = true;
    const refund = (): void => {
      if (!isHeld) return;
      isHeld = false;
      ended();
      share.refund(slots);
    };
    const timer = needs.isCommand ? undefined : setTimeout(refund, LONGEST_HELD_MS);
    try {
      if (needs.hasLeft?.()) throw disconnected();
      return await work();
    } finally {
      clearTimeout(timer);
      refund();
    }
  }

  /** True if at most one organization is active. Callers without an organization count during their look-ups only. */
  get isAlone(): boolean {
    if (this.#shares.size !== 2) return this.#shares.size < 2;
    const unknown = this.#shares.get(UNKNOWN_SENDER);
    return unknown !== undefined && unknown.held === 0 && unknown.waiting === 0;
  }

  #shareOf(sender: string): Share {
    const now = this.now();
    if (now - this.#sweptAt > QUIET_MS / 5) this.#sweep(now);
    let share = this.#shares.get(sender);
    if (!share) this.#shares.set(sender, (share = new Share(this.slots, () => this.isAlone)));
    share.usedAt = now;
    return share;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [sender, { held, waiting, usedAt }] of this.#shares) {
      if (held === 0 && waiting === 0 && now - usedAt > QUIET_MS) this.#shares.delete(sender);
    }
  }
}

function slotsByLoad(): () => number {
  let last = performance.eventLoopUtilization();
  let measuredAt = performance.now();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - measuredAt >= MEASURE_EVERY_MS) {
      const current = performance.eventLoopUtilization();
      isBusy = performance.eventLoopUtilization(current, last).utilization > BUSY_UTILIZATION;
      [last, measuredAt] = [current, now];
    }
    return isBusy ? SLOTS_WHEN_BUSY : SLOTS_WHEN_IDLE;
  };
}

/** Waits for slots, which are taken when it resolves. */
function waitIn(share: Share, slots: number, isBegun: boolean): Promise<void> {
  if (share.waiting >= MAX_WAITING) throw tooMany();
  const line = isBegun ? share.begun : share.fresh;
  return new Promise((resolve, reject) => {
    const waiting: Waiting = {
      slots,
      begin: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      line.delete(waiting);
      reject(tooMany());
    }, LONGEST_WAIT_MS);
    line.add(waiting);
  });
}

const tooMany = (): TooManyRequests =>
  new TooManyRequests('Too many requests of your organization are under way. Send fewer at a time.', 1);

const disconnected = (): DomainError =>
  new DomainError('invalid_operation', 'The client disconnected before the answer was complete.');
