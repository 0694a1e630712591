import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';

/** The parts of a charge key. */
interface ChargeKeyParts {
  /** The subscription that is charged, or the add-on on it: the keys of a settled term are found by it. */
  readonly owner: Uuid;
  /** Start of the billing period: a price adjustment is given once for all keys of one period. */
  readonly periodStart: Instant;
  /** The charge or component, as `sourceKey` writes it. */
  readonly source: string;
  /** Start of the reset window. */
  readonly windowStart: Instant;
}

/** The charge or component that a key names: the index of a recurring charge, or the metric of a component. */
type KeySource = { readonly kind: 'charge' | 'prepaid' | 'usage'; readonly name: string };

const SOURCE = /^[^/]+\/[^/]+\/(charge|prepaid|usage)\.([^/]+)\//;

/**
 * Names what a line charges: `{owner}/{periodStart}/{source}/{windowStart}`. A run bills, per key, what should be
 * charged − what was charged. Lines that settle an invoice have a key of their own, which names a credit or an invoice.
 * Events and maps hold the text; this class alone takes it apart.
 */
export class ChargeKey {
  /** Key of the line for all credits that an invoice draws. */
  static readonly DRAWN_CREDITS = new ChargeKey('credits');

  private constructor(readonly text: string) {}

  static of({ owner, periodStart, source, windowStart }: ChargeKeyParts): ChargeKey {
    return new ChargeKey(`${owner}/${periodStart}/${source}/${windowStart}`);
  }

  /** Key of a line that grants or sells a credit. */
  static ofCredit(creditId: Uuid): ChargeKey {
    return new ChargeKey(`credits/${creditId}`);
  }

  /** Key of a line that reduces another invoice. */
  static ofReducedInvoice(invoiceId: Uuid): ChargeKey {
    return new ChargeKey(`invoices/${invoiceId}`);
  }

  static parse(text: string): ChargeKey {
    return new ChargeKey(text);
  }

  get owner(): Uuid {
    return this.text.slice(0, this.text.indexOf('/'));
  }

  /** Text that all keys of the same owner and billing period begin with, and no others. */
  get periodPrefix(): string {
    return this.text.slice(0, this.text.indexOf('/', this.text.indexOf('/') + 1) + 1);
  }

  /** Null for a line that settles an invoice. */
  get source(): KeySource | null {
    const [, kind, name] = SOURCE.exec(this.text) ?? [];
    return kind ? { kind: kind as KeySource['kind'], name: name! } : null;
  }

  /** The credit or invoice that a settling line names. */
  get settledId(): Uuid {
    return this.text.slice(this.text.indexOf('/') + 1);
  }
}
