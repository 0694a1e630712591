import { withoutProofs } from '../../tamper/hostile-changes.js';
import { withFiles, withLines, type BundleFiles, type Forged } from './edit-bundle.js';

type Change = (honest: BundleFiles) => BundleFiles;

/** Changes the events of a type, in a bundle without proofs of its events. */
const eventsWith =
  (type: string, change: (data: Forged) => object): Change =>
  (honest) =>
    ['events/0000.jsonl', 'events/0001.jsonl'].reduce<BundleFiles>(
      (files, name) =>
        withLines(files, name, (lines) =>
          lines.map((line) => (line['type'] === type ? { ...line, data: change(line['data']) } : line)),
        ),
      withoutProofs(honest),
    );

/** Bundles whose hashes were computed again after a change, each with the message about the first difference. */
export const DIFFERING: readonly (readonly [string, Change, RegExp])[] = [
  [
    'the line of an invoice that differs, with both values',
    eventsWith('InvoiceComputed', (data) => ({
      ...data,
      lines: data.lines.map((line: object) => ({
        ...line,
        base: { amount: '1', currency: 'USD', scale: 2 },
      })),
    })),
    /line 1: stored .*"base":\{"amount":"1".*recomputed .*"base":\{"amount":"500"/,
  ],
  [
    'a changed price',
    eventsWith('PlanVersionPublished', ({ version, ...data }) => ({
      ...data,
      version: { ...version, content: { ...version.content, recurringCharges: [] } },
    })),
    /prices of plan version .*recorded with hash [0-9a-f]{64}, found [0-9a-f]{64}/,
  ],
  [
    'a changed tax rate by the tax of the line',
    eventsWith('CustomerRegistered', (data) => ({ ...data, taxRate: '0' })),
    /line 1: stored .*sales_tax.*recomputed/,
  ],
  [
    'a count of usage without the rows it counted',
    (honest) => {
      const rows = honest.get('usage/0001.jsonl')!.toString().split('\n');
      return withFiles(honest, { 'usage/0001.jsonl': rows.slice(1).join('\n') });
    },
    /usage of "requests" .*: quantity stored 1800, counted 1790/,
  ],
  [
    'a count of usage whose batch was left out with its rows',
    (honest) => {
      const number = JSON.parse(honest.get('batches.jsonl')!.toString().split('\n')[0]!).number as number;
      return withLines(
        withLines(withoutProofs(honest), 'batches.jsonl', (lines) => lines.slice(1)),
        'usage/0001.jsonl',
        (lines) => lines.filter(({ batch }) => batch !== number),
      );
    },
    /usage of "requests" .*: quantity stored 1800, counted 1200/,
  ],
  [
    'a number that the invoice was not assigned',
    eventsWith('NumbersAssigned', ({ assignments }) => ({
      assignments: assignments.map((one: object) => ({ ...one, number: '260201-000009' })),
    })),
    /number stated 260\d+-00000\d, assigned 260201-000009/,
  ],
  [
    'an amount that the list of invoices states otherwise',
    (honest) =>
      withLines(honest, 'invoices/0001.jsonl', ([first, ...rest]) => [
        { ...first, cost_due: { amount: '1', currency: 'USD', scale: 2 } },
        ...rest,
      ]),
    /260101-00000\d: cost_due in the list of invoices \{"amount":"1".*in the event \{"amount":"550"/,
  ],
];
