/** Faults to inject. Counters count down; each `next…` applies to that many following appends. */
export class Chaos {
  /** The call breaks before anything is stored. */
  failNextAppends = 0;
  /** The events are stored and the call breaks before the answer. */
  loseNextAnswers = 0;
  /** The events are stored and the call stays open without an answer. */
  keepSilentAfterAppends = 0;
  /** The events are stored, but the node reports a timeout. */
  timeOutNextAppends = 0;
  /** The node refuses the append with a reason. */
  notReadyForNextAppends = 0;
  /** Milliseconds until a node reports a timeout; a real node takes two to three seconds. */
  writeTimeout = 50;
  /** Milliseconds by which the node's clock is ahead of its callers'. */
  clockAhead = 0;
  /** Set when the node is a follower: the leader that it refers to. */
  leader: { readonly host: string; readonly port: number } | undefined;
  /** True: a follower forwards appends unless the call requires a leader. False: it is read-only. */
  forwardsAppends = true;
  /** Milliseconds by which a follower lags behind its leader. */
  replicationDelay = 0;
  /** Appends wait until it resolves. */
  gate: Promise<void> | undefined;
  /** Milliseconds between request and answer of an append, also as a function of the number under way. */
  appendDelay: number | ((underWay: number) => number) = 0;
  /** A repeat is answered without a position, as the protocol allows. */
  repeatsWithoutPosition = false;
  /** Stream reads contain no positions, as before 22.6. */
  streamReadsWithoutPosition = false;
  /** Number of earlier events that a subscription delivers again first. */
  redelivered = 0;
  /** Reads and subscriptions stay open without an answer. */
  hangReads = false;

  takes(fault: Countdown): boolean {
    if (this[fault] <= 0) return false;
    this[fault]--;
    return true;
  }

  /** Returns the milliseconds that an append takes. */
  delay(underWay: number): number {
    return typeof this.appendDelay === 'function' ? this.appendDelay(underWay) : this.appendDelay;
  }
}

type Countdown =
  | 'failNextAppends'
  | 'loseNextAnswers'
  | 'keepSilentAfterAppends'
  | 'timeOutNextAppends'
  | 'notReadyForNextAppends';

/** Delay measured on a real node: about 4 ms for a single append, 10 ms for each of 16 at once. */
export const realNodeDelay = (underWay: number): number => 3.6 + 0.4 * underWay;
