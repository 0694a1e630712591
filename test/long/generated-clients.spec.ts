import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { startTestApp, type TestApp } from '../support/app.js';
import { installPackages } from '../support/install-packages.js';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const IS_NODE_FOR_NEWEST = major > 22 || (major === 22 && minor >= 18);
/** Installed for this spec alone: together they are 320 packages of 174 MB. Node 20 gets the last versions that run on it. */
const TOOLS = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  ...(IS_NODE_FOR_NEWEST
    ? ['orval@8.38.0', '@hey-api/openapi-ts@0.99.0']
    : ['orval@7.13.2', '@hey-api/openapi-ts@0.95.0']),
  '@redocly/cli@2.77.0',
  'typescript@5.9.3',
];

/** The requests of each program: from an empty organization to an invoice. */
const BODIES = `
const [baseUrl, key] = process.argv.slice(2) as [string, string];
const customer = (customer_id: string) => ({ customer_id, customer_name: 'Acme', tax_rate: 0 });
const metric = (name: string) => ({
  metric_name: name, event_name: name, metric_type: 'counter' as const, aggregation_type: 'count' as const,
});
const plan = (plan_name: string, metric_id: string) => ({
  plan_name,
  plan_duration: 'monthly' as const,
  tags: ['generated', { tag_name: 'client' }],
  initial_version: {
    currency_code: 'USD',
    recurring_charges: [
      { name: 'Fee', amount: 30, charge_timing: 'in_advance' as const, charge_behavior: 'prorate' as const },
    ],
    components: [{ metric_id, tiers: [{ type: 'per_unit' as const, range_start: 0, cost_per_batch: 1, metric_units_per_batch: 1 }] }],
  },
});
const subscription = (customer_id: string, plan_id: string) => ({ customer_id, plan_id, start_date: '2026-01-01T00:00:00Z' });
const usage = (customer_id: string, event_name: string) => ({
  batch: [{ event_name, customer_id, idempotency_id: customer_id + '-1', time_created: '2026-01-01T00:00:00Z', properties: {} }],
});
const filter = (customer_id: string) => ({
  customer_id, status: ['unpaid' as const], currency_code: 'USD', issued_after: '2026-01-01T00:00:00Z', limit: 10,
});
const show = (id: string, tracked: { success: string } | undefined, invoices: readonly { cost_due: number; customer: { customer_id: string | null } }[] | undefined) =>
  console.log(JSON.stringify({ tracked: tracked?.success, invoices: invoices?.map((one) => [one.customer.customer_id === id, one.cost_due]) }));
`;

const OPENAPI_FETCH = `
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.js';
${BODIES}
const client = createClient<paths>({ baseUrl, headers: { 'X-API-KEY': key } });
const id = 'openapi-fetch';
await client.POST('/api/customers/', { body: customer(id) });
const { data: counted } = await client.POST('/api/metrics/', { body: metric(id) });
const { data: sold } = await client.POST('/api/plans/', { body: plan(id, counted!.metric_id) });
await client.POST('/api/subscriptions/', { body: subscription(id, sold!.plan_id) });
const { data: tracked } = await client.POST('/api/track/', { body: usage(id, id) });
const { data: invoices } = await client.GET('/api/invoices/', { params: { query: filter(id) } });
show(id, tracked, invoices);
`;

const ORVAL = `
import { createCustomer, createMetric, createPlan, createSubscription, listInvoices, trackEvents } from './orval.js';
${BODIES}
const options = { headers: { 'X-API-KEY': key } };
const id = 'orval';
function of<Answer extends { status: number; data: unknown }, Status extends Answer['status']>(
  answer: Answer, status: Status,
): Extract<Answer, { status: Status }>['data'] {
  if (answer.status !== status) throw new Error(JSON.stringify(answer.data));
  return answer.data as Extract<Answer, { status: Status }>['data'];
}
of(await createCustomer(customer(id), options), 201);
const counted = of(await createMetric(metric(id), options), 201);
const sold = of(await createPlan(plan(id, counted.metric_id), options), 201);
of(await createSubscription(subscription(id, sold.plan_id), {}, options), 201);
const tracked = of(await trackEvents(usage(id, id), options), 201);
const invoices = of(await listInvoices(filter(id), options), 200);
show(id, tracked, invoices);
`;

const HEY_API = `
import { createCustomer, createMetric, createPlan, createSubscription, listInvoices, trackEvents } from './hey-api/index.js';
import { client } from './hey-api/client.gen.js';
${BODIES}
client.setConfig({ baseUrl, headers: { 'X-API-KEY': key }, throwOnError: true });
const throwOnError = true as const;
const id = 'hey-api';
await createCustomer({ body: customer(id), throwOnError });
const { data: counted } = await createMetric({ body: metric(id), throwOnError });
const { data: sold } = await createPlan({ body: plan(id, counted.metric_id), throwOnError });
await createSubscription({ body: subscription(id, sold.plan_id), throwOnError });
const { data: tracked } = await trackEvents({ body: usage(id, id), throwOnError });
const { data: invoices } = await listInvoices({ query: filter(id), throwOnError });
show(id, tracked, invoices);
`;

/** Redocly's recommended rules without those that the document breaks on purpose. */
const REDOCLY = `
extends: [recommended]
rules:
  # The contract has a slash at the end of each path.
  no-path-trailing-slash: off
`;

let folder: string;
let app: TestApp;
const tool = (name: string, ...args: string[]) =>
  run(process.execPath, [path.join(folder, 'node_modules', name), ...args], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 50_000_000,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${name}: ${error.stdout}${error.stderr}`);
  });

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'recount-generated-'));
  app = await startTestApp();
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await installPackages(folder, TOOLS);
  const { text } = await app.request.get('/api/openapi.json').expect(200);
  writeFileSync(path.join(folder, 'openapi.json'), text);
  writeFileSync(path.join(folder, 'redocly.yaml'), REDOCLY);
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Compiles the program and all that was generated for it, in strict mode, and runs it against the service. */
async function compileAndRun(name: string, program: string): Promise<unknown> {
  const file = path.join(folder, `${name}.program.ts`);
  writeFileSync(file, program);
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false', '--noEmit'];
  const types = ['--types', 'node', '--typeRoots', path.join(ROOT, 'node_modules/@types')];
  const target = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022'];
  const lib = ['--lib', 'es2023,dom,dom.iterable'];
  await run(process.execPath, [TSC, file, ...strict, ...types, ...target, ...lib], { cwd: folder }).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
  const outfile = path.join(folder, `${name}.program.mjs`);
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { stdout } = await run(process.execPath, [outfile, app.url, app.key], { cwd: folder });
  return JSON.parse(stdout);
}

const ROUND_TRIP = { tracked: 'all', invoices: [[true, 30]] };

describe('the API document', () => {
  it('makes types with openapi-typescript that openapi-fetch goes round trip with', async () => {
    await tool('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi-typescript.d.ts');
    expect(await compileAndRun('openapi-fetch', OPENAPI_FETCH)).toEqual(ROUND_TRIP);
  });

  it('makes a fetch client with orval that compiles and goes round trip', async () => {
    const output = { target: './orval.ts', client: 'fetch', mode: 'single', baseUrl: app.url };
    const config = { recount: { input: { target: './openapi.json' }, output } };
    writeFileSync(path.join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify(config)}`);
    await tool(`orval/dist/bin/orval.${IS_NODE_FOR_NEWEST ? 'mjs' : 'js'}`, '--config', './orval.config.cjs');
    expect(await compileAndRun('orval', ORVAL)).toEqual(ROUND_TRIP);
  });

  it('makes a client with hey-api that compiles and goes round trip', async () => {
    await tool(
      '@hey-api/openapi-ts/bin/run.js',
      ...['-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch'],
    );
    expect(await compileAndRun('hey-api', HEY_API)).toEqual(ROUND_TRIP);
  });

  it("breaks no rule of Redocly's linter but those that the contract breaks", async () => {
    const { stdout } = await tool('@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--format=json').catch(
      (error: Error) => ({ stdout: error.message }),
    );
    const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1)) as {
      problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
    };
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]!.pointer}`),
    ).toEqual([]);
  });
});
