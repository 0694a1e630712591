/** Reads are this fresh without a position, or are marked as stale. */
const KEPT_MS = 10_000;
const MOST = 16;

/**
 * Positions of recent writes. Concurrent requests, through several processes of the service, are answered in
 * any order, and only the service can compare positions: a read sends all of them, and sees at least the
 * newest.
 */
export class Positions {
  #held: { readonly position: string; readonly at: number }[] = [];

  note(position: string | null): void {
    if (position === null) return;
    const others = this.#recent().filter((held) => held.position !== position);
    this.#held = [...others, { position, at: performance.now() }].slice(-MOST);
  }

  /** Returns the value of the header; undefined without a recent write. */
  header(): string | undefined {
    const recent = this.#recent();
    return recent.length === 0 ? undefined : recent.map(({ position }) => position).join(', ');
  }

  #recent(): { readonly position: string; readonly at: number }[] {
    return this.#held.filter(({ at }) => performance.now() - at < KEPT_MS);
  }
}
