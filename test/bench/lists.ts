import pg from 'pg';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { areBilledOnce, billMonths, dayOf, namesOf, startOf } from './billed-customers.js';
import type { Cluster } from './cluster.js';
import { median, type Figure } from './report.js';
import { startBenchedService, type BenchedService } from './service.js';

const TIMES = 21;
/** Default page size. */
const PAGE = 100;
const EMAIL_OF = 5_000;

interface Question {
  readonly name: string;
  /** Path with parameters, without a cursor. */
  readonly path: string;
  /** Number of rows before the page. */
  readonly skip?: number;
  readonly rows: number;
  /** SQL conditions for the same rows, with `$2` as parameter. */
  readonly where?: string;
  readonly parameter?: string;
}

interface Listed {
  readonly list: 'customers' | 'invoices' | 'subscriptions';
  readonly order: string;
  readonly questions: readonly Question[];
}

/**
 * Measures pages of lists over HTTP, sequentially, beside a query for the same rows: the first page, one in the
 * middle, and each filter.
 * @param count customers, each with a subscription and an invoice; default 10,000
 */
export async function measureLists(cluster: Cluster, count = '10000'): Promise<Figure[]> {
  const customers = Number(count);
  const service = await startBenchedService(cluster, startOf(0));
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
  try {
    const { client } = await billMonths(service, customers, 1);
    const names = namesOf('customer', customers);
    const wanted = names[EMAIL_OF % customers]!;
    await client.request({
      method: 'PATCH',
      path: `/api/customers/${wanted}/`,
      body: { email: 'somebody@example.com' },
    });
    const [plan] = await client.get<{ plan_id: string }[]>('/api/plans/');
    const billed = await areBilledOnce(client, names, () => 1);
    const { rows } = await pool.query<{ org: string }>('select distinct org from customers');
    const { org } = rows[0]!;
    await pool.query('vacuum analyze');
    const figures: Figure[] = [];
    for (const listed of listsOf(customers, wanted, customerKeyOf(org, wanted), plan!.plan_id)) {
      for (const question of listed.questions) {
        figures.push(await measure(service, pool, org, listed, question, billed));
      }
    }
    return figures;
  } finally {
    await pool.end();
    await service.stop();
  }
}

const listsOf = (customers: number, name: string, key: string, planId: string): Listed[] => {
  const middle = Math.floor(customers / 2);
  const pages = (path: string): Question[] => [
    { name: 'the first page', path, rows: PAGE },
    { name: `the page after ${middle} rows`, path, skip: middle, rows: PAGE },
  ];
  const ofCustomer = { where: 'customer_key = $2', parameter: key, rows: 1 };
  return [
    {
      list: 'customers',
      order: 'created_at desc, customer_key',
      questions: [
        ...pages('/api/customers/'),
        { ...ofCustomer, name: 'by e-mail', path: '/api/customers/?email=somebody@example.com' },
      ],
    },
    {
      list: 'invoices',
      order: 'issued_at desc, length(invoice_number) desc, invoice_number desc',
      questions: [
        ...pages('/api/invoices/').map((page) => ({ ...page, where: 'invoice_number is not null' })),
        { ...ofCustomer, name: 'of a customer', path: `/api/invoices/?customer_id=${name}` },
        {
          name: 'unpaid in a currency',
          path: '/api/invoices/?status=unpaid&currency_code=USD',
          where: `invoice_number is not null and payment_status = 'unpaid' and currency = $2`,
          parameter: 'USD',
          rows: PAGE,
        },
        {
          name: 'issued until a date',
          path: `/api/invoices/?issued_before=${dayOf(1, 2)}`,
          where: 'invoice_number is not null and issued_at <= $2',
          parameter: dayOf(1, 2),
          rows: PAGE,
        },
        {
          name: 'by number',
          path: `/api/invoices/?invoice_number=260201-000042`,
          where: 'invoice_number = $2',
          parameter: '260201-000042',
          rows: 1,
        },
      ],
    },
    {
      list: 'subscriptions',
      order: 'start_at desc, subscription_id',
      questions: [
        ...pages('/api/subscriptions/?status=active'),
        // The term that has ended and its successor.
        { ...ofCustomer, name: 'of a customer', path: `/api/subscriptions/?customer_id=${name}`, rows: 2 },
        { name: 'of a plan', path: `/api/subscriptions/?plan_id=${planId}`, rows: PAGE },
      ],
    },
  ];
};

async function measure(
  service: BenchedService,
  pool: pg.Pool,
  org: string,
  { list, order }: Listed,
  { name, path, skip = 0, rows: expected, where = 'true', parameter }: Question,
  billed: boolean,
): Promise<Figure> {
  const url = await pageAfter(service, path, skip);
  const text = `select * from ${list} where org = $1 and ${where} order by ${order} limit ${PAGE} offset ${skip}`;
  const values = [org, ...(parameter === undefined ? [] : [parameter])];
  const [shown, raw]: [number[], number[]] = [[], []];
  const counts = new Set<number>();
  const cpuBefore = await service.cpuTime();
  for (let time = 0; time < TIMES; time += 1) {
    let began = performance.now();
    const page = await get(service, url);
    shown.push(performance.now() - began);
    counts.add(page.rows.length);
    began = performance.now();
    await pool.query({ name: `${list} ${name}`, text, values });
    raw.push(performance.now() - began);
  }
  const cpu = ((await service.cpuTime()) - cpuBefore) / TIMES;
  return {
    name: `list of ${list}: ${name}`,
    settings: `one after the other; medians: ${median(shown).toFixed(1)} ms for ${expected} rows, the raw query ${median(raw).toFixed(1)} ms; processor time of the service ${cpu.toFixed(1)} ms a page`,
    unit: 'pages',
    perSecond: 1_000 / median(shown),
    ceiling: { name: 'a query of the same rows', perSecond: 1_000 / median(raw) },
    latencies: shown,
    check: {
      what: `a page has ${expected} rows; every customer has its one invoice of the right amount`,
      holds: billed && counts.size === 1 && counts.has(expected),
    },
  };
}

interface Page {
  readonly rows: readonly unknown[];
  readonly next: string | undefined;
}

async function get(service: BenchedService, path: string): Promise<Page> {
  const answer = await fetch(new URL(path, service.url), { headers: { 'X-API-KEY': service.key } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  return { rows: (await answer.json()) as unknown[], next };
}

/** Follows the links of large pages. @returns the address of a page of the default size */
async function pageAfter(service: BenchedService, path: string, skip: number): Promise<string> {
  if (skip === 0) return path;
  const size = Math.min(skip, 1_000);
  let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=${size}`;
  for (let passed = 0; passed < skip; passed += size) {
    ({ next } = await get(service, next!));
    if (next === undefined) throw new Error(`${path} has fewer than ${skip} rows`);
  }
  const url = new URL(next!, service.url);
  url.searchParams.set('limit', String(PAGE));
  return url.href;
}
