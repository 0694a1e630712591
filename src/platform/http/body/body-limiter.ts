import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { FairRequestLimiter } from '../rate-limits/fair-request-limiter.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { TooManyRequests } from '../rate-limits/too-many-requests.js';

/** Limits and checks for the bodies of a path. */
export interface BodyRule {
  /** The most bytes of a JSON body, inflated. */
  readonly maxBytes: number;
  /** Whether text that cannot be stored and numbers beyond a double refuse the whole body; else the handler looks at them. */
  readonly checksValues: boolean;
}

const ONE_MB = 1024 * 1024;
const DEFAULT: BodyRule = { maxBytes: ONE_MB, checksValues: true };

/** Holds the paths whose bodies are read by rules of their own. Modules register them while they are built. */
export class BodyRules {
  readonly #rules = new Map<string, BodyRule>();

  /** @param path without the slash at the end */
  register(path: string, rule: BodyRule): void {
    this.#rules.set(path, rule);
  }

  /** @param url path and query of the request */
  find(url: string): BodyRule {
    const path = url.split('?', 1)[0]!;
    return this.#rules.get(path.endsWith('/') ? path.slice(0, -1) : path) ?? DEFAULT;
  }
}

/** Bodies of one organization that come in or wait to be parsed. */
const MOST_BODIES = 256;
const MOST_BYTES = 64 * 1024 * 1024;
/** Work beyond it holds up everybody else's requests noticeably. */
const SHORT_MS = 5;
/** After long work, its organization waits so many times as long before its next body, where there are others. */
const PAUSE_TIMES = 4;
/** A turn that is held until the answer ends no later: whatever its request waits for is not this process. */
const LONGEST_HELD_MS = 10_000;

class Share {
  bodies = 0;
  bytes = 0;
  /** Ends when the work before has ended, with its pause. */
  last: Promise<void> = Promise.resolve();
}

/** One body while it comes in. */
export interface IncomingBody {
  /** @throws TooManyRequests when the bodies of the organization hold too much memory together */
  grow(bytes: number): void;
  /**
   * Inflates or parses in turn: one body of an organization at a time. `spend` notes the milliseconds of each step.
   * @param held what comes after the work, and belongs to the turn: the next body waits for it, and as long again
   * @throws TooManyRequests when the organization has spent what it may before the turn comes
   */
  runExclusive<Result>(
    work: (spend: (ms: number) => void) => Promise<Result>,
    held?: Promise<unknown>,
  ): Promise<Result>;
}

/**
 * Bounds what the bodies of one organization take of this process: memory while they come in, and time while they are
 * inflated and parsed, and large ones until they are answered. Long work is followed by a pause, in which requests of
 * others are answered. Bodies are charged by their bytes as soon as they are read, those that are refused as well.
 */
@Injectable()
export class BodyLimiter {
  readonly #shares = new Map<Uuid, Share>();

  constructor(
    private readonly requests: FairRequestLimiter,
    private readonly limits: RateLimits,
  ) {}

  /** @throws TooManyRequests when too many bodies of the organization are under way */
  async receive<Result>(org: Uuid, read: (body: IncomingBody) => Promise<Result>): Promise<Result> {
    const share = this.#shares.get(org) ?? new Share();
    if (share.bodies >= MOST_BODIES) throw tooMany();
    this.#shares.set(org, share);
    share.bodies += 1;
    let held = 0;
    const grow = (bytes: number): void => {
      if (share.bytes + bytes > MOST_BYTES) throw tooMany();
      share.bytes += bytes;
      held += bytes;
    };
    try {
      const body = await read({
        grow,
        runExclusive: (work, held) => this.#takeTurn(share, () => this.limits.admit(org), work, held),
      });
      this.limits.chargeBody(org, held);
      return body;
    } catch (error) {
      if (!(error instanceof TooManyRequests)) this.limits.chargeRefusedBody(org, held);
      throw error;
    } finally {
      share.bodies -= 1;
      share.bytes -= held;
      if (share.bodies === 0) void share.last.then(() => this.#forget(org, share));
    }
  }

  async #takeTurn<Result>(
    share: Share,
    admit: () => void,
    work: (spend: (ms: number) => void) => Promise<Result>,
    held?: Promise<unknown>,
  ): Promise<Result> {
    let spent = 0;
    const mine = share.last.then(() => {
      admit();
      return work((ms) => (spent += ms));
    });
    const pause = async (ms: number): Promise<void> => {
      if (spent > SHORT_MS && !this.requests.isAlone) await sleep(ms, undefined, { ref: false });
      else await new Promise(setImmediate);
    };
    share.last = mine.then(
      async () => {
        const heldFor = held ? await msUntil(held) : 0;
        await pause(spent * PAUSE_TIMES + heldFor);
      },
      () => pause(spent * PAUSE_TIMES),
    );
    return mine;
  }

  #forget(org: Uuid, share: Share): void {
    if (share.bodies === 0 && this.#shares.get(org) === share) this.#shares.delete(org);
  }
}

async function msUntil(end: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  const enough = new AbortController();
  await Promise.race([end, sleep(LONGEST_HELD_MS, undefined, { ref: false, signal: enough.signal })]).finally(
    () => enough.abort(),
  );
  return performance.now() - begin;
}

const tooMany = (): TooManyRequests =>
  new TooManyRequests('Too many bodies of your organization come in at once. Send fewer at a time.', 1);
