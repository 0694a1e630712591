import { StoreUnavailable } from '../event-store.js';

/** Appends under way at once, and bytes of their events: a node orders hundreds together, and memory holds them. */
const MOST = 256;
const MOST_BYTES = 8 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
}

/** Lets so many tasks run at once; the others wait in order of arrival, at most for the deadline. */
export class InFlight {
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #bytes = 0;

  constructor(private readonly deadline: number) {}

  /** @throws StoreUnavailable when its turn did not come, so that nothing was begun */
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

  /** One goes in any case, however large. */
  #hasRoom(bytes: number): boolean {
    return this.#running === 0 || (this.#running < MOST && this.#bytes + bytes <= MOST_BYTES);
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

  /** Whoever ends lets the next begin. */
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
        waiting.refuse(new StoreUnavailable('too many appends wait for the event store'));
      const timer = setTimeout(late, this.deadline);
      this.#waiting.add(waiting);
    });
  }
}
