import { StoreUnavailable } from '../event-store.js';

/** Limits of concurrent appends: their number, and the bytes of their events in memory. */
const MOST = 256;
const MAX_BYTES = 8 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
}

/** Limits concurrent appends; others wait in order of arrival, at most for the deadline. */
export class InFlight {
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #bytes = 0;

  constructor(private readonly deadline: number) {}

  /** @throws StoreUnavailable if the task could not begin in time */
  async run<Result>(bytes: number, task: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.size > 0 || !this.#hasRoom(bytes)) await this.#turn(bytes);
    else this.#begin(bytes);
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#bytes -= bytes;
      this.#admit();
    }
  }

  /** Returns whether a task may begin; a single task may have any size. */
  #hasRoom(bytes: number): boolean {
    return this.#running === 0 || (this.#running < MOST && this.#bytes + bytes <= MAX_BYTES);
  }

  #begin(bytes: number): void {
    this.#running += 1;
    this.#bytes += bytes;
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.bytes)) return;
      this.#begin(waiting.bytes);
      waiting.go();
    }
  }

  refuseWaiting(error: Error): void {
    for (const waiting of [...this.#waiting]) waiting.refuse(error);
  }

  /** Waits until a running task ends and admits this one. */
  #turn(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        bytes,
        go: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const late = (): void =>
        waiting.refuse(new StoreUnavailable('Too many appends wait for the event store.'));
      const timer = setTimeout(late, this.deadline);
      this.#waiting.add(waiting);
    });
  }
}
