/**
 * Measures how many invoices of 20 lines one core computes. This is computation only (schedule, rating, adjustment,
 * tax, hashes) without a store, so there is no ceiling.
 */
import { computeInvoice, invoiceSteps } from '../../src/billing/rating/compute-invoice.js';
import type { CountedUsage, RunData } from '../../src/billing/rating/run.js';
import { schedulesOf, usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { doSteps } from '../../src/kernel/iteration.js';
import { namedId } from '../../src/kernel/ids.js';
import {
  NO_TAX,
  aCharge,
  aComponent,
  aContent,
  aRun,
  aTerm,
  freeUpTo,
  perUnit,
} from '../support/builders/billing.js';
import { countOf } from '../support/pure-account.js';
import { median, printFigure } from './report.js';

const LINES = 20;
const ACCOUNTS = 500;
const ROUNDS = Number(process.env.ROUNDS ?? 12);

interface Job {
  readonly data: RunData;
  readonly counted: readonly CountedUsage[];
}

const content = aContent({
  recurringCharges: [aCharge()],
  components: Array.from({ length: LINES - 1 }, (_, index) =>
    aComponent({
      metricName: `metric ${index}`,
      tiers: [freeUpTo('100'), perUnit('0.0125', '100', '10000'), perUnit('0.00975', '10000')],
    }),
  ),
  priceAdjustment: { name: 'discount', description: null, type: 'percentage', amount: '-5' },
});

/**
 * Creates the input of a run at a month's end: 19 usage windows and the fee of a first period that was not billed
 * before, so all 20 become lines.
 */
function jobOf(number: number): Job {
  const term = aTerm(content, {
    name: `subscription ${number}`,
    start: '2026-01-05',
    dayAnchor: 1,
    zone: 'Europe/Paris',
  });
  const data = aRun([term], '2026-02-01T01:00:00Z', {
    runId: namedId(`run ${number}`),
    organization: { settings: { ...NO_TAX, taxRate: '19' }, revision: '3' },
  });
  const usage = [{ at: '2026-01-20T00:00:00.000000Z', n: `${1000 + number}.25` }];
  return { data, counted: usageNeeded(data).map((need) => countOf(need, usage)) };
}

const jobs = Array.from({ length: ACCOUNTS }, (_, index) => jobOf(index));

function resultHashOf({ data, counted }: Job): string {
  const run = computeInvoice(data, counted);
  if (run.type !== 'InvoiceComputed' || run.invoice.lines.length !== LINES)
    throw new Error('not an invoice of 20 lines');
  return run.invoice.resultHash;
}

const first = jobs.map(resultHashOf);
/** Invoices per sample, after a warm-up round. Each run reads its data like the service, including the schedule. */
const SAMPLE = 50;
const rates: number[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  for (let from = 0; from < ACCOUNTS; from += SAMPLE) {
    const started = process.hrtime.bigint();
    for (const { data, counted } of jobs.slice(from, from + SAMPLE)) {
      const schedules = schedulesOf(data);
      usageNeeded(data, schedules);
      doSteps(invoiceSteps(data, counted, schedules));
    }
    if (round > 0) rates.push(SAMPLE / (Number(process.hrtime.bigint() - started) / 1e9));
  }
}
const again = jobs.map(resultHashOf);

const holds = printFigure({
  name: 'pure computation of invoices, one core',
  settings: `${LINES} lines (19 of usage, 1 fee), 3 tiers, adjustment, tax; median of ${rates.length} samples of ${SAMPLE}`,
  unit: 'invoices',
  perSecond: median(rates),
  latencies: rates.map((rate) => 1000 / rate),
  check: { what: 'computed again, the same bytes', holds: first.join() === again.join() },
});
process.exitCode = holds ? 0 : 1;
