/** What goes wrong next. Counters count down; each `next…` concerns so many of the following appends. */
export class Chaos {
  /** The call breaks before anything is stored. */
  failNextAppends = 0;
  /** The events are stored and the call breaks before the answer. */
  loseNextAnswers = 0;
  /** The events are stored and the call stays open without an answer. */
  keepSilentAfterAppends = 0;
  /** The node does not see the events stored in its time, and says so; they are. */
  timeOutNextAppends = 0;
  /** The node does nothing with the append, and says why. */
  notReadyForNextAppends = 0;
  /** Milliseconds after which a node says that an append timed out: two to three seconds in a real one. */
  writeTimeout = 50;
  /** Milliseconds by which the node's clock is ahead of its callers'. */
  clockAhead = 0;
  /** The node is a follower, and this is whom it names. */
  leader: { readonly host: string; readonly port: number } | undefined;
  /** A follower hands appends on to its leader, unless the call requires one; one that is read-only refuses them. */
  forwardsAppends = true;
  /** Milliseconds after which a follower has what its leader has. */
  replicationDelay = 0;
  /** Appends wait for it. */
  gate: Promise<void> | undefined;
  /** Milliseconds between the request of an append and its answer; by how many are under way. */
  appendDelay: number | ((underWay: number) => number) = 0;
  /** A repeat is answered without a position, as the protocol allows. */
  repeatsWithoutPosition = false;
  /** As nodes before 22.6 read streams. */
  streamReadsWithoutPosition = false;
  /** A subscription begins with so many events that were handed over before. */
  redelivered = 0;
  /** Reads and subscriptions stay open and say nothing. */
  hangReads = false;

  takes(fault: Countdown): boolean {
    if (this[fault] <= 0) return false;
    this[fault]--;
    return true;
  }

  /** Milliseconds that an append takes now. */
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

/** As a real node was measured: about 4 ms for an append alone, 10 ms for each of 16 at once. */
export const likeANode = (underWay: number): number => 3.6 + 0.4 * underWay;
