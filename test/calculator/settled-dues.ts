import { withAddons } from './addons.js';
import type { Ms } from './calendar.js';
import { duesOf, settlementOfSetEnd, sourcesOf, type Due } from './dues.js';
import type { History } from './history.js';
import { settledAt } from './settled-at.js';
import type { Term } from './terms.js';

/** Returns the dues of a term and its add-ons, settled earlier where another term of the account settles them. */
export const duesOfTerm = (term: Term, terms: readonly Term[], history: History, grace: Ms): Due[] =>
  withAddons(term, history).flatMap((member) => {
    const settled = settledAt(member, term, terms, grace);
    const endSettledAt = settlementOfSetEnd(member, grace, settled);
    return sourcesOf(member)
      .flatMap((source) => duesOf(source, member, grace))
      .map((due) => ({ ...due, endSettledAt, at: Math.min(due.at, settled) }));
  });
