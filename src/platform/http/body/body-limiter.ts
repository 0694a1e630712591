import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { LongWork } from '../../concurrency/long-work.js';
import { FairRequestLimiter } from '../rate-limits/fair-request-limiter.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { TooManyRequests } from '../rate-limits/too-many-requests.js';

/** Limits and checks for the bodies of a path. */
export interface BodyRule {
  /** Limit of bytes of a JSON body after decompression. */
  readonly maxBytes: number;
  /** Limit of bytes of an object in a list of the outermost object; none unless given. */
  readonly maxEntryBytes?: number;
  /** True if unstorable text and numbers beyond a double refuse the whole body; otherwise the handler checks them. */
  readonly checksValues: boolean;
}

const ONE_MB = 1024 * 1024;
const DEFAULT: BodyRule = { maxBytes: ONE_MB, checksValues: true };

/** Registry of paths with their own body rules; modules register them at start. */
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

/** Limits of the bodies of one organization that are received or wait to be parsed. */
const MAX_BODIES = 256;
const MAX_BYTES = 64 * 1024 * 1024;
/** Length above which work delays the requests of others noticeably. */
const SHORT_MS = 5;
/** Pause of an organization after long work, in multiples of the work; none if no other organization is active. */
const PAUSE_TIMES = 4;
/** Bytes that the bodies of an organization may bring in one turn of the event loop; small bodies come at once. */
const BYTES_OF_A_TURN = 64 * 1024;
/** Longest time that a large body keeps its turn until the answer; then its request waits for something else. */
const LONGEST_HELD_MS = 10_000;

class Share {
  bodies = 0;
  bytes = 0;
  /** Resolves when the last work and its pause have ended. */
  last: Promise<void> = Promise.resolve();
  /** Bytes that have arrived in this turn of the event loop. */
  arrived = 0;
  /** Resolves when the next part may arrive. */
  arriving: Promise<void> = Promise.resolve();
  readonly partWork: LongWork;

  constructor(org: Uuid) {
    this.partWork = new LongWork(org);
  }

  /** Works on an arrived part at once, and returns a promise that the next part has to wait for, if enough has arrived. */
  workOnPart(bytes: number, work: () => void): Promise<void> | undefined {
    this.partWork.do(work);
    this.arrived += bytes;
    if (this.arrived < BYTES_OF_A_TURN) return undefined;
    this.arriving = this.arriving.then(async () => {
      await (this.partWork.turn() ?? nextTurn());
      this.arrived = 0;
    });
    return this.arriving;
  }
}

/** A body that is being received. */
export interface IncomingBody {
  /** @throws TooManyRequests if the bodies of the organization use too much memory */
  grow(bytes: number): void;
  /** Works on an arrived part at once, and returns a promise that the next part has to wait for, if any. */
  workOnPart(bytes: number, work: () => void): Promise<void> | undefined;
  /**
   * Decompresses or parses one body of an organization at a time. `spend` notes the milliseconds of each step.
   * @param held the answer of a large body: the next body waits for it, and as long again
   * @throws TooManyRequests if the organization is above its rate limit when its turn comes
   */
  runExclusive<Result>(
    work: (spend: (ms: number) => void) => Promise<Result>,
    held?: Promise<unknown>,
  ): Promise<Result>;
}

/**
 * Limits what the bodies of one organization use of this process: memory while they are received, time while they are
 * decompressed and parsed, and for large ones until the answer. A pause for requests of others follows long work and each
 * refusal. Bodies are charged by their bytes, refused ones too.
 */
@Injectable()
export class BodyLimiter {
  readonly #shares = new Map<Uuid, Share>();

  constructor(
    private readonly requests: FairRequestLimiter,
    private readonly limits: RateLimits,
  ) {}

  /** Receives a body. @throws TooManyRequests if too many bodies of the organization are under way */
  async receive<Result>(org: Uuid, read: (body: IncomingBody) => Promise<Result>): Promise<Result> {
    const share = this.#shares.get(org) ?? new Share(org);
    if (share.bodies >= MAX_BODIES) throw tooMany();
    this.#shares.set(org, share);
    share.bodies += 1;
    let heldBytes = 0;
    const grow = (bytes: number): void => {
      if (share.bytes + bytes > MAX_BYTES) throw tooMany();
      share.bytes += bytes;
      heldBytes += bytes;
    };
    try {
      const body = await read({
        grow,
        workOnPart: (bytes, work) => share.workOnPart(bytes, work),
        runExclusive: (work, held) => this.#takeTurn(share, () => this.limits.admit(org), work, held),
      });
      this.limits.chargeBody(org, heldBytes);
      return body;
    } catch (error) {
      if (!(error instanceof TooManyRequests)) this.limits.chargeRefusedBody(org, heldBytes);
      throw error;
    } finally {
      share.bodies -= 1;
      share.bytes -= heldBytes;
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
    const running = share.last.then(() => {
      admit();
      return work((ms) => (spent += ms));
    });
    const pause = async (ms: number): Promise<void> => {
      if (spent >= SHORT_MS && !this.requests.isAlone) await sleep(ms, undefined, { ref: false });
      else await new Promise(setImmediate);
    };
    share.last = running.then(
      async () => {
        const heldFor = held ? await msUntil(held) : 0;
        await pause(spent * PAUSE_TIMES + heldFor);
      },
      (error: unknown) => {
        // A refused body costs more than the time of its parsing, and its sender can send many at once.
        if (!(error instanceof TooManyRequests)) spent += SHORT_MS;
        return pause(spent * PAUSE_TIMES);
      },
    );
    return running;
  }

  #forget(org: Uuid, share: Share): void {
    if (share.bodies === 0 && this.#shares.get(org) === share) this.#shares.delete(org);
  }
}

async function msUntil(end: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  const timer = new AbortController();
  await Promise.race([end, sleep(LONGEST_HELD_MS, undefined, { ref: false, signal: timer.signal })]).finally(
    () => timer.abort(),
  );
  return performance.now() - begin;
}

const tooMany = (): TooManyRequests =>
  new TooManyRequests('Your organization sends too many bodies at once. Send fewer at a time.', 1);
