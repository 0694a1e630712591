import { StoreUnavailable } from '../event-store.js';

/**
 * How many appends may be under way at once. The client queues writes once 16 messages wait in its batch stream, and
 * what is queued when that stream breaks is rejected where nobody listens, which ends the process. Below 16 its queue
 * never forms.
 */
const MOST = 15;

interface Waiting {
  readonly go: () => void;
  readonly refuse: (error: Error) => void;
}

/** Lets so many tasks run at once; the others wait in order of arrival, at most for the deadline. */
export class InFlight {
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(private readonly deadline: number) {}

  /** @throws StoreUnavailable when its turn did not come, so that nothing was begun */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running < MOST) this.#running++;
    else await this.#turn();
    try {
      return await task();
    } finally {
      const [next] = this.#waiting;
      if (next) next.go();
      else this.#running--;
    }
  }

  refuseWaiting(error: Error): void {
    for (const waiting of [...this.#waiting]) waiting.refuse(error);
  }

  /** Whoever ends hands its place over, so the number of those running stays. */
  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
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
