interface Flight<Answer> {
  readonly answer: Promise<Answer>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Runs equal concurrent calls once, like `SingleFlight`, and aborts the work when every caller has left. A call that comes
 * while the work runs shares the next run, so that no result is older than its call.
 */
export class AbortableSingleFlight<Answer> {
  readonly #running = new Map<string, Flight<Answer>>();
  readonly #next = new Map<string, Flight<Answer>>();

  /** @throws the signal's reason when it aborts before there is an answer */
  run(
    question: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const next = this.#next.get(question);
    // An aborted run answers nobody.
    return this.#join(next && !next.stop.signal.aborted ? next : this.#begin(question, work), signal);
  }

  #begin(question: string, work: (signal: AbortSignal) => Promise<Answer>): Flight<Answer> {
    const running = this.#running.get(question);
    const stop = new AbortController();
    const start = async (): Promise<Answer> => {
      if (this.#next.get(question) === flight) this.#next.delete(question);
      stop.signal.throwIfAborted();
      this.#running.set(question, flight);
      return work(stop.signal).finally(() => {
        if (this.#running.get(question) === flight) this.#running.delete(question);
      });
    };
    // Aborted work ends by itself.
    const isAwaited = running && !running.stop.signal.aborted;
    const ended = isAwaited
      ? running.answer.then(
          () => undefined,
          () => undefined,
        )
      : undefined;
    const answer = (ended ?? Promise.resolve()).then(start);
    answer.catch(() => undefined);
    const flight: Flight<Answer> = { stop, waiting: 0, answer };
    // Until it has begun, whoever comes in the same turn shares it as well.
    this.#next.set(question, flight);
    return flight;
  }

  async #join(flight: Flight<Answer>, signal: AbortSignal): Promise<Answer> {
    flight.waiting += 1;
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason as Error);
    });
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      return await Promise.race([flight.answer, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.stop.abort(new Error('nobody waits for the answer'));
    }
  }
}
