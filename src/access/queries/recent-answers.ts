import type { Instant } from '../../kernel/instant.js';

/** Limits: answers, and the time for which rows may have changed without an event, as by a repair. */
const MOST = 5_000;
const LONGEST_MS = 1_000;
/** Limit of terms in an answer: what is remembered has bounded size. */
const MOST_TERMS = 4;

/** An answer with what bounds its validity. */
export interface BoundedAnswer<Answer> {
  readonly answer: Answer;
  /** `ReadModels.lastChangeOf` the organization before the read models were asked. */
  readonly lastChange: number;
  /** Domain time of the answer. */
  readonly at: Instant;
  /** Domain time at which it changes by itself; null: never. */
  readonly until: Instant | null;
}

/**
 * Remembers answers from the read models for a second. An answer counts until the organization's next event, or the next
 * instant at which a term begins or ends.
 */
export class RecentAnswers<Answer extends { readonly terms: readonly unknown[] }> {
  readonly #answers = new Map<string, BoundedAnswer<Answer> & { readonly readAt: number }>();

  find(question: string, lastChange: number, now: Instant): Answer | undefined {
    const known = this.#answers.get(question);
    if (!known) return undefined;
    const isCurrent =
      known.lastChange === lastChange &&
      performance.now() - known.readAt < LONGEST_MS &&
      known.at <= now &&
      (known.until === null || now < known.until);
    if (isCurrent) return known.answer;
    this.#answers.delete(question);
    return undefined;
  }

  /** @param readAt time of the machine before the read models were asked */
  note(question: string, answer: BoundedAnswer<Answer>, readAt: number): void {
    if (answer.answer.terms.length > MOST_TERMS) return;
    this.#answers.delete(question);
    this.#answers.set(question, { ...answer, readAt });
    if (this.#answers.size > MOST) this.#answers.delete(this.#answers.keys().next().value!);
  }
}
