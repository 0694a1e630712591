import type { Instant } from '../../../src/kernel/instant.js';
import { namedId } from '../../../src/kernel/ids.js';
import type { CarriedOverProration } from '../../../src/pricing/price-content.js';
import type { Term, TermAddon } from '../../../src/subscription/domain/events.js';

/** The successor of a term that was switched inside its first period. It carries over only the fields of `over`. */
export function switchedInto(term: Term, at: Instant, over: Partial<CarriedOverProration> = {}): Term {
  const { start, basis } = term;
  const nothing = { termStart: start, periodStart: start, fees: [], adjustment: null, usage: [] };
  return { ...term, start: at, basis: { ...basis, continues: { ...nothing, billedAt: at, ...over } } };
}

/** A recurring add-on of a term, begun at an instant. */
export const anAddon = (start: Instant, changes: Partial<TermAddon> = {}): TermAddon => ({
  addonSubscriptionId: namedId('an add-on of the term'),
  addonId: namedId('an add-on'),
  addonVersionId: namedId('a version of the add-on'),
  contentHash: 'the hash of its prices',
  name: 'Support',
  addonType: 'flat',
  billingFrequency: 'recurring',
  invoiceWhen: 'invoice_on_attach',
  metrics: [],
  quantity: 3,
  metadata: {},
  start,
  renewed: false,
  ...changes,
});
