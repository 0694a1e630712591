import { categoryOf, type RecordedEvent } from '../src/kernel/event.js';
import { ascending, toWireId, type Uuid } from '../src/kernel/ids.js';
import type { StatedInvoice } from './bundle.js';
import { withMembers } from './json-members.js';
import type { VerifiedInvoice } from './verify-bundle.js';

/** An invoice as its `InvoiceIssued` records it. */
interface Issued {
  readonly invoiceId: Uuid;
  readonly number: string;
  readonly issuedAt: string;
}

/** Invoices that the events of some customers issue. */
export interface IssuedInvoices {
  /** Times of issue of the first and the last listed invoice, and the number of them; undefined without one. */
  readonly span: { readonly first: string; readonly last: string; readonly count: number } | undefined;
  readonly unlisted: readonly Pick<Issued, 'number' | 'issuedAt'>[];
}

/** Compares the list of invoices with the events of a customer. @throws RefusedBundle */
export function issuedInvoices(
  streams: ReadonlyMap<string, readonly RecordedEvent[]>,
  listed: readonly StatedInvoice[],
): IssuedInvoices {
  const ids = new Set(listed.map(({ id }) => id));
  let span: IssuedInvoices['span'];
  const unlisted: IssuedInvoices['unlisted'][number][] = [];
  for (const [stream, events] of streams) {
    if (categoryOf(stream) !== 'account') continue;
    for (const { type, data, revision } of events) {
      if (type !== 'InvoiceIssued') continue;
      const kinds = { invoiceId: 'string', number: 'string', issuedAt: 'string' } as const;
      const issued = withMembers<Issued>(data, `${stream}@${revision}: ${type}`, kinds);
      const { issuedAt: at } = issued;
      if (ids.has(toWireId('invoice', issued.invoiceId)))
        span = joined(span, { first: at, last: at, count: 1 });
      else unlisted.push({ number: issued.number, issuedAt: at });
    }
  }
  return { span, unlisted };
}

/** Joins the invoices of several customers. */
export const allIssued = (all: readonly IssuedInvoices[]): IssuedInvoices => ({
  span: all.reduce<IssuedInvoices['span']>((span, one) => joined(span, one.span), undefined),
  unlisted: all.flatMap(({ unlisted }) => unlisted),
});

function joined(one: IssuedInvoices['span'], other: IssuedInvoices['span']): IssuedInvoices['span'] {
  if (!one || !other) return one ?? other;
  return {
    first: one.first < other.first ? one.first : other.first,
    last: one.last > other.last ? one.last : other.last,
    count: one.count + other.count,
  };
}

/** Invoices that a bundle leaves out. */
interface LeftOut {
  /** Numbers of invoices that a selection by number or time leaves out. */
  readonly further: readonly string[];
  readonly notProven: readonly string[];
}

/**
 * Names the issued invoices that are not listed. A bundle is selected by number, customer, or time of issue. So one with
 * several invoices has every invoice of its customers that was issued between the first and the last of them, or with one.
 */
export function leftOutOf({ span, unlisted }: IssuedInvoices): LeftOut {
  const isBetween = ({ issuedAt: at }: Pick<Issued, 'issuedAt'>): boolean =>
    span !== undefined && span.count > 1 && span.first <= at && at <= span.last;
  const numbers = unlisted.filter(isBetween).map(({ number }) => number);
  const further = unlisted.filter((one) => !isBetween(one)).map(({ number }) => number);
  return {
    further: further.sort(ascending),
    notProven:
      numbers.length === 0
        ? []
        : [
            `the events issue ${counted(numbers.length, 'invoice')} between others of the bundle that it does not have: ${named(numbers.sort(ascending))}. The bundle leaves them out, or was written while they were issued: ask for a new one`,
          ],
  };
}

/** Says which invoices the events issue before or after those of the bundle. */
export const sentenceOfFurther = (further: readonly string[]): string =>
  `the events issue ${counted(further.length, 'further invoice')}, which the bundle does not have: ${named(further)}`;

/** Limit of named invoices; the JSON has all. */
const NAMED = 20;

const named = (numbers: readonly string[]): string =>
  numbers.length <= NAMED
    ? numbers.join(', ')
    : `${numbers.slice(0, NAMED).join(', ')} and ${numbers.length - NAMED} more`;

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;

/** Names personal data that a bundle with such data lacks. */
export function missingDataOf(invoices: readonly VerifiedInvoice[]): string[] {
  const missing = invoices.filter(({ personalData }) => personalData?.result === 'missing');
  if (missing.length === 0) return [];
  return [
    `the personal data of ${counted(missing.length, 'invoice')} is missing, the first is ${missing[0]!.number}: the bundle leaves it out, unless the customer was erased while it was written. Ask for a new one`,
  ];
}

/** Names documents that a bundle with documents lacks. */
export function missingDocumentsOf(invoices: readonly VerifiedInvoice[]): string[] {
  const missing = invoices.filter(({ document }) => document === undefined);
  if (missing.length === 0 || missing.length === invoices.length) return [];
  return [
    `the documents of ${counted(missing.length, 'invoice')} are missing, the first is ${missing[0]!.number}: the bundle has those of others. Ask for a new one`,
  ];
}
