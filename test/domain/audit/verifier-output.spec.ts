import { describe, expect, it } from '@jest/globals';
import { rowOf, type Report } from '../../../verifier/report.js';
import { jsonOf } from '../../../verifier/report-json.js';
import { textOf } from '../../../verifier/main.js';
import type { VerifiedInvoice } from '../../../verifier/verify-bundle.js';

const INVOICES = 5_000;
/** Largest number of characters of one write. */
const MAX_AT_ONCE = 100_000;

const invoice = (index: number): VerifiedInvoice => ({
  number: `260101-${String(index + 1).padStart(6, '0')}`,
  currency: 'USD',
  costDue: '1793',
  scale: 2,
  lines: 4,
  resultHash: 'a'.repeat(64),
  differences: index === 7 ? ['total: stored 1, recomputed 2'] : [],
  documents: { kind: 'issued', all: [] },
  ...(index === 8 && { personalData: { result: 'as sealed' as const, data: { name: 'Ada' } } }),
});

const reportOf = (count: number): Report => ({
  organization: 'org_1',
  counts: { events: 1, usage: 2, batches: 3, invoices: count },
  invoices: Array.from({ length: count }, (_, index) => invoice(index)),
  differences: [],
  notProven: [],
  further: [],
  signature: 'good',
  expected: undefined,
  cosignatures: [],
  seconds: 1,
});

describe('the answer about many invoices', () => {
  it('is written in chunks as JSON, which together are one object on a line', () => {
    const chunks = [...jsonOf(reportOf(INVOICES), false)];
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(MAX_AT_ONCE);
    const text = chunks.join('');
    const read = JSON.parse(text) as { ok: boolean; invoices: { number: string; ok: boolean }[] };
    expect(text).toBe(`${JSON.stringify(read)}\n`);
    expect(read.invoices.map(({ number }) => number)).toEqual(
      reportOf(INVOICES).invoices.map(({ number }) => number),
    );
    expect(read.ok).toBe(false);
    expect(read.invoices[7]).toEqual({
      number: '260101-000008',
      currency: 'USD',
      cost_due: '1793',
      lines: 4,
      result_hash: 'a'.repeat(64),
      differences: ['total: stored 1, recomputed 2'],
      document: null,
      personal_data: null,
      ok: false,
    });
    expect(Object.keys(read)).toEqual([
      ...[
        'ok',
        'organization',
        'counts',
        'signature',
        'cosignatures',
        'invoices',
        'differences',
        'not_proven',
        'further_invoices',
      ],
      ...['expected', 'seconds'],
    ]);
  });

  it('is an empty list without invoices', () => {
    expect(JSON.parse([...jsonOf(reportOf(0), false)].join(''))).toMatchObject({ ok: true, invoices: [] });
  });

  it.each([
    ['1793', 2, '17.93 USD'],
    ['-5', 2, '-0.05 USD'],
    ['1793', 0, '1793 USD'],
    ['1793', 3, '1.793 USD'],
    ['odd', 2, 'odd USD'],
    ['1', 2 ** 50, '1 USD'],
  ])('shows %s with %i decimals as %s', (costDue, scale, shown) => {
    expect(rowOf({ ...invoice(0), costDue, scale })[2]).toBe(shown);
  });

  it('shows what a terminal would obey, so that a forged bundle writes no line of its own', () => {
    const forged = 'x\u001b[2J\n1 invoice computed again: all as issued\u009b';
    const seen = 'x\\u001b[2J\\n1 invoice computed again: all as issued\\u009b';
    const data = { name: 'Ada' };
    const one: VerifiedInvoice = {
      ...invoice(0),
      number: forged,
      currency: forged,
      differences: [forged],
      personalData: { result: 'as sealed', data },
    };
    const report: Report = {
      ...reportOf(1),
      invoices: [one],
      differences: [forged],
      notProven: [forged],
      further: [forged],
    };
    const text = [...textOf(report, true)].join('');
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(text.split('\n').filter((line) => line.startsWith('1 invoice'))).toEqual([]);
    expect(text).toContain(`customer of ${seen.replace('\\n', '\\u000a')}, as sealed`);
  });

  it('is written in chunks as a table', () => {
    const chunks = [...textOf(reportOf(INVOICES), true)];
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(MAX_AT_ONCE);
    const lines = chunks.join('').split('\n');
    expect(lines).toHaveLength(INVOICES + 9);
    expect(lines[2]).toBe('invoice        lines  to pay     result     document');
    expect(lines[10]).toBe('260101-000008  4      17.93 USD  DIFFERS    –');
    expect(lines.slice(-5)).toEqual([
      'customer of 260101-000009, as sealed: {"name":"Ada"}',
      '260101-000008: total: stored 1, recomputed 2',
      'signature: good',
      '1 difference',
      '',
    ]);
  });
});
