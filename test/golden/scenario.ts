import { expect } from '@jest/globals';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import { DomainError } from '../../src/kernel/errors.js';
import { plusMicros, type Instant } from '../../src/kernel/instant.js';
import { money, toDecimal } from '../../src/kernel/money.js';
import { historyOf, namesOfSubscriptions, stepOf } from '../calculator/golden-history.js';
import { creditIdOf, EngineBooks } from '../support/engine/engine-books.js';
import type { ScenarioModel, Step } from './scenario-model.js';

/**
 * One customer's account in memory, driven by the steps of a golden case. A refusal fails unless the step expects it.
 */
export class Scenario {
  private readonly books: EngineBooks;
  private readonly nameOf = namesOfSubscriptions();

  constructor(model: ScenarioModel) {
    this.books = new EngineBooks(historyOf(model), (refusal) => {
      throw refusal;
    });
  }

  get invoices(): readonly ComputedInvoice[] {
    return this.books.computed;
  }

  /** Start of the newest term. */
  get newestStart(): Instant {
    return this.books.terms
      .map(({ state }) => state.term.start)
      .sort()
      .at(-1)!;
  }

  /** Prepaid units of the newest term, of its first component that has some. */
  get latestUnits(): string | undefined {
    return this.books.terms.at(-1)!.state.term.prepaidUnits?.[0]?.units;
  }

  /** End of the newest term, as the API shows it. */
  get newestEnd(): Instant {
    const { end, scheduledEnd } = this.books.terms.at(-1)!.state.term;
    return scheduledEnd ? plusMicros(end, -1n) : end;
  }

  /** Executes a step. @returns the invoices it issues */
  take(step: Step): ComputedInvoice[] {
    const before = this.invoices.length;
    const asked = stepOf(step, this.nameOf(step));
    if (step.expect?.status === 400) expect(() => this.books.take(asked)).toThrow(DomainError);
    else this.books.take(asked);
    return this.invoices.slice(before);
  }

  get creditLeft(): string {
    const [first] = this.books.credits.values();
    return toDecimal(money(this.books.creditLeft, first?.currency ?? 'USD'));
  }

  remainingOf(name: string): string {
    const { remaining, currency } = this.books.credits.get(creditIdOf(name))!;
    return toDecimal(money(remaining, currency));
  }
}
