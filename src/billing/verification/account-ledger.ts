import type { RecordedEvent } from '../../kernel/event.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { StoredMoney } from '../../kernel/money.js';
import type { ComputedInvoice, CreditGrant, VoidedInvoice } from '../accounts/domain/event-data.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import { differencesOfVoid } from './void-differences.js';

interface LedgerInvoice {
  readonly computed: ComputedInvoice;
  /** Minor units still to be paid. */
  due: bigint;
  number: string | null;
  isClosed: boolean;
}

type DataOf<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>['data'];

/**
 * Keeps the balances of an account's invoices and credits, event by event, and checks what callers recorded against
 * them: payments, voids, credits. Amounts of runs are computed again elsewhere (`InvoiceVerifier`).
 */
export class AccountLedger {
  readonly #invoices = new Map<Uuid, LedgerInvoice>();
  /** Minor units that remain of each credit. */
  readonly #credits = new Map<Uuid, bigint>();
  readonly #voidedCredits = new Set<Uuid>();
  /** Minor units by which earlier invoices had reduced a voided one, by the command that voided it. */
  readonly #reduced = new Map<Uuid, bigint>();

  /** Adds the next event of the account. @returns sentences on contradictions with the events before it */
  add(recorded: RecordedEvent): string[] {
    const event = recorded as unknown as AccountEvent;
    switch (event.type) {
      case 'InvoiceComputed':
        return this.#compute(event.data);
      case 'InvoiceIssued':
        return this.#issue(event.data);
      case 'InvoicePaid':
        return this.#pay(event.data, recorded);
      case 'InvoicePastDue':
        return this.#pastDue(event.data, recorded);
      case 'InvoiceVoided':
        return this.#void(event.data, recorded);
      case 'CreditGranted':
        return this.#grant(event.data, recorded);
      case 'CreditVoided':
        return this.#voidCredit(event.data, recorded);
      case 'PaymentLinked':
        return this.#invoices.has(event.data.invoiceId)
          ? []
          : [`a payment was linked to invoice ${event.data.invoiceId}, which the account does not have`];
      case 'CreditDescriptionChanged':
      case 'CreditExpiryChanged':
        return this.#credits.has(event.data.creditId)
          ? []
          : [`credit ${event.data.creditId} was changed and never granted`];
      default:
        return [];
    }
  }

  #compute(computed: ComputedInvoice): string[] {
    const { invoiceId } = computed;
    const due = minor(computed.costDue);
    const differences = this.#invoices.has(invoiceId) ? [`invoice ${invoiceId} was computed twice`] : [];
    this.#invoices.set(invoiceId, { computed, due, number: null, isClosed: due === 0n });
    for (const { invoiceId: reduced, amount } of computed.reductions) {
      const invoice = this.#invoices.get(reduced);
      if (!invoice || invoice.due < minor(amount)) {
        differences.push(`invoice ${invoiceId} takes more off invoice ${reduced} than was to be paid`);
        continue;
      }
      invoice.due -= minor(amount);
      invoice.isClosed ||= invoice.due === 0n;
    }
    for (const { creditId, amount } of computed.drawdowns) {
      const remaining = (this.#credits.get(creditId) ?? 0n) - minor(amount);
      if (remaining < 0n)
        differences.push(`invoice ${invoiceId} draws more of credit ${creditId} than remained`);
      this.#credits.set(creditId, remaining);
    }
    for (const { creditId, amount } of computed.grants) this.#credits.set(creditId, minor(amount));
    return differences;
  }

  #issue({ invoiceId, number, issuedAt }: DataOf<'InvoiceIssued'>): string[] {
    const invoice = this.#invoices.get(invoiceId);
    if (!invoice) return []; // named by whoever lists the issued invoices
    const differences = invoice.number === null ? [] : [`invoice ${invoiceId} was issued twice`];
    invoice.number = number;
    const { issuedAt: computedAt } = invoice.computed;
    if (issuedAt !== computedAt) {
      differences.push(`${number}: issuedAt stored ${issuedAt}, computed was ${computedAt}`);
    }
    return differences;
  }

  #pay({ invoiceId, amount, paidAt }: DataOf<'InvoicePaid'>, { metadata }: RecordedEvent): string[] {
    const invoice = this.#invoices.get(invoiceId);
    if (!invoice) return [`invoice ${invoiceId} was paid, and the account does not have it`];
    const name = invoice.number ?? invoiceId;
    const differences: string[] = [];
    if (invoice.isClosed || invoice.number === null) {
      differences.push(`${name} was paid while nothing of it was to be paid`);
    } else if (minor(amount) !== invoice.due || amount.currency !== invoice.computed.currency) {
      differences.push(`${name}: paid were ${textOf(amount)}, to be paid was ${invoice.due}`);
    }
    if (paidAt !== metadata.recordedAt) {
      differences.push(`${name}: paidAt stored ${paidAt}, recorded at ${metadata.recordedAt}`);
    }
    Object.assign(invoice, { due: 0n, isClosed: true });
    return differences;
  }

  #pastDue({ invoiceId, dueAt }: DataOf<'InvoicePastDue'>, { metadata }: RecordedEvent): string[] {
    const invoice = this.#invoices.get(invoiceId);
    const isPastDue =
      invoice && !invoice.isClosed && dueAt === invoice.computed.dueAt && metadata.recordedAt >= dueAt;
    return isPastDue ? [] : [`${invoice?.number ?? invoiceId} was noted as past due, which it was not`];
  }

  #void(voided: VoidedInvoice, { metadata }: RecordedEvent): string[] {
    const { invoiceId, number, drawdowns, voidedAt } = voided;
    const invoice = this.#invoices.get(invoiceId);
    if (!invoice) return [`invoice ${invoiceId} was voided, and the account does not have it`];
    const differences: string[] = [];
    if (invoice.isClosed || invoice.number !== number) {
      differences.push(`${number} was voided while nothing of it was to be paid`);
    }
    differences.push(...differencesOfVoid(voided, invoice.computed));
    if (voidedAt !== metadata.recordedAt) {
      differences.push(`${number}: voidedAt stored ${voidedAt}, recorded at ${metadata.recordedAt}`);
    }
    this.#reduced.set(metadata.commandId, minor(invoice.computed.costDue) - invoice.due);
    invoice.isClosed = true;
    for (const { creditId, amount } of drawdowns) {
      const remaining = this.#credits.get(creditId) ?? 0n;
      this.#credits.set(creditId, this.#voidedCredits.has(creditId) ? 0n : remaining + minor(amount));
    }
    return differences;
  }

  #grant({ creditId, amount, purchase, grantedAt }: CreditGrant, { metadata }: RecordedEvent): string[] {
    const { commandId, recordedAt } = metadata;
    const differences = this.#credits.has(creditId) ? [`credit ${creditId} was granted twice`] : [];
    const roles = purchase ? ['credit'] : ['credit', 'granted credit'];
    if (!roles.some((role) => creditId === derivedId(commandId, role))) {
      differences.push(`credit ${creditId} is not the credit that its command grants`);
    }
    const reduced = this.#reduced.get(commandId);
    if (reduced !== undefined && reduced !== minor(amount)) {
      differences.push(
        `credit ${creditId}: granted were ${textOf(amount)}, the voided invoice had been reduced by ${reduced}`,
      );
    }
    if (grantedAt > recordedAt) {
      differences.push(`credit ${creditId}: grantedAt stored ${grantedAt}, recorded at ${recordedAt}`);
    }
    this.#credits.set(creditId, minor(amount));
    return differences;
  }

  #voidCredit({ creditId, amount, voidedAt }: DataOf<'CreditVoided'>, { metadata }: RecordedEvent): string[] {
    const remaining = this.#credits.get(creditId);
    if (remaining === undefined) return [`credit ${creditId} was voided and never granted`];
    const differences =
      remaining === minor(amount)
        ? []
        : [`credit ${creditId}: voided were ${textOf(amount)}, remaining was ${remaining}`];
    if (voidedAt !== metadata.recordedAt) {
      differences.push(`credit ${creditId}: voidedAt stored ${voidedAt}, recorded at ${metadata.recordedAt}`);
    }
    this.#credits.set(creditId, 0n);
    this.#voidedCredits.add(creditId);
    return differences;
  }
}

const minor = ({ amount }: StoredMoney): bigint => BigInt(amount);
const textOf = ({ amount, currency }: StoredMoney): string => `${amount} ${currency}`;
