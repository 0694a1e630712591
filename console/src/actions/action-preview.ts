import type { Invoice, InvoiceLineItem } from '../../../clients/typescript/src/index.js';
import { shownAmount } from '../pages/invoices/invoice-totals.js';

/** Term that the action changes. */
export interface Change {
  readonly name: string;
  readonly now: string;
  readonly then: string;
}

/** Effect of an action. */
export interface ActionPreview {
  readonly changes: readonly Change[];
  /** Invoices of the action; undefined: the service has no preview of this action. */
  readonly invoices?: InvoiceComparison;
}

export interface InvoiceComparison {
  readonly caption: string;
  /** Headers of the amounts of `now` and of `then`. */
  readonly headers: { readonly now: string; readonly then: string };
  /** Invoices without the action; empty when the action is invoiced by itself, which leaves their column out. */
  readonly now: readonly Invoice[];
  /** Invoices with the action. */
  readonly then: readonly Invoice[];
  /** Unpaid invoices that a credit of these reduces, each with its amount due. */
  readonly reduced?: readonly Change[];
  /** Sentence where there are no lines. */
  readonly none?: string;
  /** Number of lines that are not shown. */
  readonly linesLeftOut?: number;
}

export interface ComparedLine {
  readonly key: string;
  readonly line: InvoiceLineItem;
  readonly currency: string;
  /** Amounts before tax. */
  readonly now: number | undefined;
  readonly then: number | undefined;
}

const lineKey = (currency: string, line: InvoiceLineItem): string =>
  [currency, line.name, line.start_date, line.end_date, line.billing_type, line.plan?.version_id].join('|');

/** Pairs the lines of two sets of invoices, in the order of the second; equal lines pair one by one. */
export function compareLines({ now, then }: Pick<InvoiceComparison, 'now' | 'then'>): ComparedLine[] {
  const before = new Map<string, ComparedLine[]>();
  for (const { currency, line_items: lines } of now) {
    for (const line of lines) {
      const key = lineKey(currency.code, line);
      const same = before.get(key) ?? [];
      const index = same.length;
      same.push({
        key: `${key}|${index}`,
        line,
        currency: currency.code,
        now: shownAmount(line),
        then: undefined,
      });
      before.set(key, same);
    }
  }
  const added = new Map<string, number>();
  const compared = then.flatMap(({ currency, line_items: lines }) =>
    lines.map((line): ComparedLine => {
      const key = lineKey(currency.code, line);
      const pair = before.get(key)?.shift();
      const index = added.get(key) ?? 0;
      added.set(key, index + 1);
      return {
        key: `${key}|then ${index}`,
        line,
        currency: currency.code,
        now: pair?.now,
        then: shownAmount(line),
      };
    }),
  );
  return [...compared, ...[...before.values()].flat()];
}
