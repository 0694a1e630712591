import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { TooManyRequests } from './too-many-requests.js';

/** Requests of one organization that are worked on at once while others send requests as well. */
const MOST_BESIDE_OTHERS = 6;
const MOST_WAITING = 1_000;
/** Who has waited so long goes ahead: a few slow requests of an organization do not hold up its quick ones for longer. */
const LONGEST_WAIT_MS = 2_000;
/** An organization that was quiet for so long is none that others have to leave room for. */
const QUIET_MS = 5_000;

class Share {
  running = 0;
  usedAt = 0;
  readonly waiting = new Set<() => void>();
}

/**
 * Shares the process among organizations: of each, so many requests are worked on at once, and the others wait in
 * order. An organization that is alone has all of it.
 */
@Injectable()
export class FairRequestLimiter {
  readonly #shares = new Map<Uuid, Share>();
  #sweptAt = 0;

  /** @throws TooManyRequests when too many requests of the organization wait */
  async run<Result>(org: Uuid, work: () => Promise<Result>): Promise<Result> {
    const share = this.#shareOf(org);
    if (share.running >= MOST_BESIDE_OTHERS && this.#shares.size > 1) await waitIn(share);
    share.running += 1;
    try {
      return await work();
    } finally {
      share.running -= 1;
      const [next] = share.waiting;
      next?.();
    }
  }

  #shareOf(org: Uuid): Share {
    const now = performance.now();
    if (now - this.#sweptAt > QUIET_MS / 5) this.#sweep(now);
    let share = this.#shares.get(org);
    if (!share) this.#shares.set(org, (share = new Share()));
    share.usedAt = now;
    return share;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [org, { running, waiting, usedAt }] of this.#shares) {
      if (running === 0 && waiting.size === 0 && now - usedAt > QUIET_MS) this.#shares.delete(org);
    }
  }
}

function waitIn({ waiting }: Share): Promise<void> {
  if (waiting.size >= MOST_WAITING) {
    throw new TooManyRequests(
      'Too many requests of your organization are under way. Send fewer at a time.',
      1,
    );
  }
  return new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(timer);
      waiting.delete(goOn);
      resolve();
    };
    const timer = setTimeout(goOn, LONGEST_WAIT_MS);
    waiting.add(goOn);
  });
}
