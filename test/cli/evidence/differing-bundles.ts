import { sha256Hex } from '../../../src/kernel/canonical-json.js';
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

const OTHER_HASH = sha256Hex('another result');

/** Assigns every number to another result, chained to the one before it of its day. */
function assignedToAnother(honest: BundleFiles): BundleFiles {
  const chained = new Map<string, string>();
  const assigned = (day: string, one: Forged): object => {
    const chainHash = sha256Hex((chained.get(day) ?? '') + OTHER_HASH);
    chained.set(day, chainHash);
    return { ...one, resultHash: OTHER_HASH, chainHash };
  };
  return withLines(withoutProofs(honest), 'events/0000.jsonl', (lines) =>
    lines.map((line) =>
      line.type === 'NumbersAssigned'
        ? {
            ...line,
            data: { assignments: line.data.assignments.map((one: Forged) => assigned(line.stream, one)) },
          }
        : line,
    ),
  );
}

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
    'a number that was assigned to another result',
    assignedToAnother,
    new RegExp(
      `260\\d+-00000\\d: result of the number: recorded with hash ${OTHER_HASH}, found [0-9a-f]{64}`,
    ),
  ],
  [
    'a number that the invoice was not issued with',
    eventsWith('InvoiceIssued', (data) => ({ ...data, number: '260201-000009' })),
    /260\d+-00000\d: number at issue: stated 260201-000009, assigned 260\d+-00000\d/,
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
