/** What goes wrong next. Counters count down; each `next…` concerns so many of the following appends. */
export class Chaos {
  /** The call breaks before anything is stored. */
  failNextAppends = 0;
  /** The events are stored and the call breaks before the answer. */
  loseNextAnswers = 0;
  /** The events are stored and the call stays open without an answer. */
  keepSilentAfterAppends = 0;
  /** The node is a follower: appends are refused, and this is whom it names. */
  leader: { readonly host: string; readonly port: number } | undefined;
  /** Milliseconds between the request and everything else. */
  appendDelay = 0;
  /** A repeat is answered without a position, as the protocol allows. */
  repeatsWithoutPosition = false;
  /** As nodes before 22.6 read streams. */
  streamReadsWithoutPosition = false;
  /** A subscription begins with so many events that were handed over before. */
  redelivered = 0;
  /** Reads and subscriptions stay open and say nothing. */
  hangReads = false;

  takes(fault: 'failNextAppends' | 'loseNextAnswers' | 'keepSilentAfterAppends'): boolean {
    if (this[fault] <= 0) return false;
    this[fault]--;
    return true;
  }
}
