import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { billedTotals, countIndependently, startDemoRun, type DemoRun } from '../support/demo-run.js';

const root = path.resolve(import.meta.dirname, '../..');
/** 10,000 requests of a real server; it lies beside the project, not in it: without it the sample takes its place. */
const REAL = path.resolve(root, '../shared/data/access.log.gz');
const LOG = existsSync(REAL) ? REAL : path.join(root, 'demo/sample-access.log');

describe(`billing ${path.basename(LOG)}`, () => {
  let run: DemoRun;
  beforeAll(async () => {
    run = await startDemoRun(LOG);
    await run.bill();
  });
  afterAll(() => run.app.stop());

  it('counts every request once, per client', async () => {
    expect(billedTotals(await run.invoices())).toEqual(countIndependently(LOG));
  });

  it('changes nothing when the same file comes again', async () => {
    const before = await run.invoices();
    await run.bill();
    expect(await run.invoices()).toEqual(before);
  });
});
