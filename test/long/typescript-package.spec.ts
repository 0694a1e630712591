import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';

const root = path.resolve(import.meta.dirname, '../..');
const client = path.join(root, 'clients/typescript');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

const PROGRAM = `
import { InvalidRequestError, type Invoice, Recount } from 'recount-client';

const recount = new Recount({ baseUrl: process.argv[2]!, apiKey: process.argv[3]! });
const plan = await recount.createPlan({
  plan_name: 'Packed',
  plan_duration: 'monthly',
  initial_version: {
    currency_code: 'USD',
    recurring_charges: [{ name: 'Fee', amount: 30, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
  },
});
await recount.createCustomer({ customer_id: 'acme' });
await recount.createSubscription({ customer_id: 'acme', plan_id: plan.plan_id, start_date: '2026-01-01T00:00:00Z' });
const invoices: Invoice[] = await recount.listInvoices({ customer_id: 'acme' }).all();
// @ts-expect-error There is no such filter.
const refused = await recount.listInvoices({ custmer_id: 'acme' }).all().catch((error: unknown) => error);
const isTyped = refused instanceof InvalidRequestError && refused.validationErrors[0]?.attr === 'custmer_id';
console.log(JSON.stringify({ amounts: invoices.map(({ amount }) => amount), isTyped }));
`;

describe('the package of the TypeScript client', () => {
  let folder: string;
  let app: TestApp;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'recount-client-'));
    app = await startTestApp();
  });
  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has its license and types; a program compiles with it in strict mode and goes to an invoice', async () => {
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: client,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [
      { filename: string; files: { path: string }[] },
    ];
    const names = files.map((file) => file.path);
    expect(names).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(names.filter((name) => name.startsWith('src/'))).toEqual([]);

    const installed = path.join(folder, 'node_modules/recount-client');
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', path.join(folder, filename), '--strip-components=1', '-C', installed]);
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(folder, 'program.ts'), PROGRAM);
    const strict = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
      'false',
    ];
    const types = ['--types', 'node', '--typeRoots', path.join(root, 'node_modules/@types')];
    const target = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'];
    execFileSync(process.execPath, [tsc, 'program.ts', ...strict, ...types, ...target], { cwd: folder });
    expect(await runProgram(path.join(folder, 'program.js'), app)).toEqual({ amounts: [30], isTyped: true });
  });
});

/** The service runs in this process, so the program must not block it. */
async function runProgram(program: string, { url, key }: TestApp): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, key]);
  return JSON.parse(stdout);
}
