import { performance } from 'node:perf_hooks';
import { DomainError } from '../../../kernel/errors.js';
import { longWorkQueue } from '../../concurrency/long-work.js';
import { TooManyRequests } from './too-many-requests.js';

/** Places of one organization while others send requests as well and the process is busy: each waits for all of these. */
const PLACES_WHEN_BUSY = 3;
/** While requests wait for stores more than they compute, more of them at once hold up nobody. */
const PLACES_WHEN_IDLE = 12;
/** Busy is a process whose event loop worked for this share of the last while. */
const BUSY_SHARE = 0.5;
const LOOK_EVERY_MS = 100;
const MOST_WAITING = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Work of this length waits for something rather than computes: it no longer holds its place. */
const LONGEST_HELD_MS = 1_000;
/** An organization that was quiet for so long is none that others have to leave room for. */
const QUIET_MS = 5_000;

interface Work {
  /** How many places it takes; where these are more than there are, it is worked on alone. */
  readonly places?: number;
  /** A request that has been worked on before: it goes before those that have not. */
  readonly isBegun?: boolean;
  /** Whether nobody waits for the answer any more; asked when a place comes free. */
  readonly hasLeft?: () => boolean;
}

interface Waiting {
  readonly places: number;
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
    private readonly places: () => number,
    private readonly isAlone: () => boolean,
  ) {}

  hasRoomFor(places: number): boolean {
    return this.isAlone() || this.held === 0 || this.held + places <= this.places();
  }

  giveBack(places: number): void {
    this.held -= places;
    this.admit();
  }

  /** Begins waiting requests, in order, as far as there is room. */
  admit(): void {
    for (;;) {
      const [next] = this.begun.size > 0 ? this.begun : this.fresh;
      if (!next || !this.hasRoomFor(next.places)) return;
      this.begun.delete(next);
      this.fresh.delete(next);
      this.held += next.places;
      next.begin();
    }
  }
}

/**
 * Shares the process among organizations: of each, so many requests are worked on at once, and the others wait in
 * order. An organization that is alone has all of it.
 */
export class FairRequestLimiter {
  readonly #shares = new Map<string, Share>();
  #sweptAt = 0;

  /** @param places of one organization while there are others */
  constructor(private readonly places: () => number = placesByLoad()) {}

  /**
   * @param sender an organization, or a name for all whose organization is not known
   * @throws TooManyRequests when too many requests of the organization wait, or this one has waited too long
   * @throws DomainError `invalid_operation` when the caller left while it waited
   */
  async run<Result>(sender: string, work: () => Promise<Result>, asked: Work = {}): Promise<Result> {
    const share = this.#shareOf(sender);
    const { places = 1 } = asked;
    // The others can have gone since those who wait began to: they go first.
    share.admit();
    const isCrowded = share.waiting > 0 || !share.hasRoomFor(places);
    if (isCrowded) await waitIn(share, places, asked.isBegun ?? false);
    else share.held += places;
    const ended = longWorkQueue.begin(sender);
    let isHeld = true;
    const giveBack = (): void => {
      if (!isHeld) return;
      isHeld = false;
      ended();
      share.giveBack(places);
    };
    const timer = setTimeout(giveBack, LONGEST_HELD_MS);
    try {
      if (asked.hasLeft?.()) throw clientDisconnected();
      return await work();
    } finally {
      clearTimeout(timer);
      giveBack();
    }
  }

  /** Nobody else sent a request lately. */
  get isAlone(): boolean {
    return this.#shares.size <= 1;
  }

  #shareOf(sender: string): Share {
    const now = performance.now();
    if (now - this.#sweptAt > QUIET_MS / 5) this.#sweep(now);
    let share = this.#shares.get(sender);
    if (!share) this.#shares.set(sender, (share = new Share(this.places, () => this.isAlone)));
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

function placesByLoad(): () => number {
  let last = performance.eventLoopUtilization();
  let lookedAt = performance.now();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - lookedAt >= LOOK_EVERY_MS) {
      const current = performance.eventLoopUtilization();
      isBusy = performance.eventLoopUtilization(current, last).utilization > BUSY_SHARE;
      [last, lookedAt] = [current, now];
    }
    return isBusy ? PLACES_WHEN_BUSY : PLACES_WHEN_IDLE;
  };
}

/** The places are taken when it resolves. */
function waitIn(share: Share, places: number, isBegun: boolean): Promise<void> {
  if (share.waiting >= MOST_WAITING) throw tooMany();
  const line = isBegun ? share.begun : share.fresh;
  return new Promise((resolve, reject) => {
    const waiting: Waiting = {
      places,
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

const clientDisconnected = (): DomainError =>
  new DomainError('invalid_operation', 'The caller left before there was an answer.');
