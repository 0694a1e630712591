import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';

const run = promisify(execFile);
const CLIENT = path.resolve(import.meta.dirname, '../../clients/python');
/** Finds what the client and this spec import. */
const CHECK = 'import sys, urllib3, mypy; sys.exit(sys.version_info < (3, 11))';
const PYTHON = ['python3', '/usr/bin/python3'].find(
  (command) => spawnSync(command, ['-c', CHECK]).status === 0,
);
const MISSING =
  'The Python client was not tested: install Python 3.11 or newer with urllib3 and mypy (Debian: python3-urllib3 mypy).';

const ROUND_TRIP = `
import json, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from recount_client import (
    ApiError, ConnectionError, IdempotencyKeyReusedError, InvalidRequestError, NotFoundError, PreconditionFailedError,
    Recount, RecountError, ThrottledError,
)

url, key = sys.argv[1:]
recount = Recount(url, key)
said: dict[str, object] = {}

metric = recount.create_metric({
    'metric_name': 'API calls', 'event_name': 'api_call', 'metric_type': 'counter', 'aggregation_type': 'count',
})
def plan_of(name: str, amount: float) -> str:
    plan = recount.create_plan({
        'plan_name': name,
        'plan_duration': 'monthly',
        'initial_version': {
            'currency_code': 'USD',
            'recurring_charges': [
                {'name': 'Fee', 'amount': amount, 'charge_timing': 'in_advance', 'charge_behavior': 'prorate'},
            ],
            'components': [{
                'metric_id': metric['metric_id'],
                'tiers': [{'type': 'per_unit', 'range_start': 0, 'cost_per_batch': 1, 'metric_units_per_batch': 1}],
            }],
        },
    })
    return plan['plan_id']
small, large = plan_of('Small', 30), plan_of('Large', 60)
recount.create_customer({'customer_id': 'acme/1', 'customer_name': 'Acmé'})
subscription = recount.create_subscription({
    'customer_id': 'acme/1', 'plan_id': small, 'start_date': '2026-01-01T00:00:00Z',
})
tracked = recount.track_events({'batch': [
    {'event_name': 'api_call', 'customer_id': 'acme/1', 'idempotency_id': f'call-{n}',
     'time_created': '2026-01-01T00:00:00Z', 'properties': {}} for n in range(3)
]})
said['tracked'] = tracked['success']
said['usage'] = [
    usage['quantity'] for usage in recount.get_usage(customer_id='acme/1', metric_id=metric['metric_id'])
]

preview = recount.switch_plan(subscription['subscription_id'], {'switch_plan_id': large}, preview=True)
said['preview'] = [invoice['amount'] for invoice in preview['invoices']]
switched = recount.switch_plan(subscription['subscription_id'], {'switch_plan_id': large})
said['switched'] = switched['billing_plan']['plan_name']

invoices = recount.list_invoices(customer_id='acme/1', payment_status=['unpaid'], currency_code='USD').all()
said['invoices'] = [[invoice['customer']['customer_id'], invoice['amount']] for invoice in invoices]
said['filtered'] = len(recount.list_subscriptions(
    subscription_filters=[{'property_name': 'region', 'value': 'eu'}], status=['active'],
).all())

# Files are bytes.
said['bundle'] = recount.get_invoice_evidence(invoices[0]['invoice_id'])[:2].decode()
try:
    recount.get_e_invoice(invoices[0]['invoice_id'])
except InvalidRequestError as error:
    said['lacking'] = error.title

# A list is read as far as it is asked for.
for n in range(7):
    recount.create_feature({'feature_name': f'Feature {n}'})
features = recount.list_features(limit=3)
said['pages'] = [len(page) for page in features.by_page()]
said['items'] = len(list(features)), next(iter(features))['feature_name'][:7]

# A call is repeatable under a key, and a key is of one call.
once = recount.create_feature({'feature_name': 'Once'}, options={'idempotency_key': 'once'})
said['once'] = once == recount.create_feature({'feature_name': 'Once'}, options={'idempotency_key': 'once'})
try:
    recount.create_feature({'feature_name': 'Twice'}, options={'idempotency_key': 'once'})
except IdempotencyKeyReusedError as error:
    said['reused'] = error.status

# A read sees the writes of all threads, also those of another client.
threads = [
    threading.Thread(target=recount.create_feature, args=({'feature_name': f'At once {n}'},)) for n in range(8)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
position = recount.position
assert position is not None
other = Recount(url, key)
other.see_at_least(position)
said['seen'] = sum(feature['feature_name'].startswith('At once') for feature in other.list_features(limit=1000))

# A resource changes only if it still has its ETag.
customer = recount.get_customer('acme/1')
etag = recount.metadata(customer).etag
assert etag is not None
recount.update_customer('acme/1', {'customer_name': 'A'}, options={'if_match': etag})
try:
    recount.update_customer('acme/1', {'customer_name': 'B'}, options={'if_match': etag})
except PreconditionFailedError as error:
    said['changed'] = error.status

# The past.
before = str(recount.get_test_clock()['now'])
said['past'] = recount.get_customer('acme/1', options={'as_of': before})['customer_id']

# Refusals.
try:
    recount.get_customer('nobody')
except NotFoundError as error:
    said['unknown'] = [error.title, bool(error.request_id)]
try:
    recount.request('GET', '/api/invoices/', query={'custmer_id': 'acme'})
except InvalidRequestError as error:
    said['misspelt'] = error.validation_errors[0]['attr']
try:
    Recount(url, 'no key').ping()
except ApiError as error:
    said['key'] = type(error).__name__
try:
    Recount('http://127.0.0.1:9', key, retry_for=0).ping()
except ConnectionError as error:
    said['away'] = isinstance(error, RecountError)

# The next page is at the address of the first one, where links have a path before /api/.
paths: list[str] = []
class Prefixed(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        paths.append(self.path)
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        if len(paths) == 1:
            self.send_header('Link', '<https://example.com/billing/api/plans/?limit=1&cursor=a%2Bb>; rel="next"')
        self.end_headers()
        self.wfile.write(b'[{}]')
    def log_message(self, format: str, *args: object) -> None:
        pass
prefixed = HTTPServer(('127.0.0.1', 0), Prefixed)
threading.Thread(target=prefixed.serve_forever, daemon=True).start()
Recount(f'http://127.0.0.1:{prefixed.server_port}/billing', key).list_plans(limit=1).all()
said['prefixed'] = paths

# A refusal with 429 is retried for a time of its own.
refusals = 1
class Throttling(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        global refusals
        refusals -= 1
        self.send_response(200 if refusals < 0 else 429)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Retry-After', '0')
        self.end_headers()
        self.wfile.write(b'{}')
    def log_message(self, format: str, *args: object) -> None:
        pass
server = HTTPServer(('127.0.0.1', 0), Throttling)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f'http://127.0.0.1:{server.server_port}'
said['patient'] = Recount(address, key, retry_for=0, retry_throttled_for=60).ping()
refusals = 1
try:
    Recount(address, key, retry_throttled_for=0).ping()
except ThrottledError as error:
    said['hasty'] = error.status
print(json.dumps(said))
`;

/** Lines that a type checker must refuse, each with the name of its error. */
const WRONG = `
from recount_client import Recount
recount = Recount('', '')
recount.list_invoices(custmer_id='acme')  # call-arg
recount.create_customer({'customer_id': 1})  # typeddict-item
recount.create_customer({'customer_idd': 'acme'})  # typeddict
recount.get_invoice('1')['amuont']  # typeddict-item
`;

describe('the Python client', () => {
  if (PYTHON === undefined) {
    it('is tested where there is Python with urllib3 and mypy', () => {
      if (process.env['CI']) throw new Error(MISSING);
      process.stderr.write(`${MISSING}\n`);
    });
    return;
  }
  let app: TestApp;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'recount-python-'));
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  });
  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const python = (...args: string[]) =>
    run(PYTHON, args, {
      cwd: folder,
      env: {
        ...process.env,
        PYTHONPATH: CLIENT,
        MYPYPATH: CLIENT,
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONUTF8: '1',
      },
    }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr);
    });
  const mypy = (...files: string[]) =>
    python('-m', 'mypy', '--config-file', path.join(CLIENT, 'pyproject.toml'), '--no-color-output', ...files);

  it('goes from a plan to an invoice, over pages, keys, positions, ETags, files and refusals', async () => {
    const file = path.join(folder, 'round_trip.py');
    writeFileSync(file, ROUND_TRIP);
    const { stdout } = await python(file, app.url, app.key);
    expect(JSON.parse(stdout)).toEqual({
      tracked: 'all',
      usage: [3],
      preview: [30],
      switched: 'Large',
      invoices: [
        ['acme/1', 30],
        ['acme/1', 30],
      ],
      filtered: 0,
      bundle: 'PK',
      lacking: 'invalid_state',
      pages: [3, 3, 1],
      items: [7, 'Feature'],
      once: true,
      reused: 422,
      seen: 8,
      changed: 412,
      past: 'acme/1',
      unknown: ['not_found', true],
      misspelt: 'custmer_id',
      key: 'AuthenticationError',
      away: true,
      prefixed: ['/billing/api/plans/?limit=1', '/billing/api/plans/?limit=1&cursor=a%2Bb'],
      patient: {},
      hasty: 429,
    });
  });

  it('passes mypy in strict mode, with the programs above and of its README; wrong calls do not', async () => {
    const readme = readFileSync(path.join(CLIENT, 'README.md'), 'utf8');
    writeFileSync(path.join(folder, 'round_trip.py'), ROUND_TRIP);
    writeFileSync(path.join(folder, 'readme.py'), /```python\n(.*?)```/s.exec(readme)![1]!);
    expect((await mypy('round_trip.py', 'readme.py', path.join(CLIENT, 'recount_client'))).stdout).toMatch(
      /^Success/,
    );
    writeFileSync(path.join(folder, 'wrong.py'), WRONG);
    const { message } = await mypy('--show-error-codes', 'wrong.py').then(
      () => new Error('mypy takes the wrong calls'),
      (error: Error) => error,
    );
    const expected = WRONG.split('\n').flatMap((line, index) => {
      const code = line.split('# ')[1];
      return code === undefined ? [] : [`${index + 1} ${code}`];
    });
    const found = [...message.matchAll(/^wrong\.py:(\d+): error: .*\[(\S+)\]$/gm)].map(
      ([, line, code]) => `${line} ${code}`,
    );
    expect(found.map((one) => one.split(' ')[0])).toEqual(expected.map((one) => one.split(' ')[0]));
  });

  it('does what the program of its README says', async () => {
    const readme = readFileSync(path.join(CLIENT, 'README.md'), 'utf8');
    const program = /```python\n(.*?)```/s
      .exec(readme)![1]!
      .replace('http://127.0.0.1:3000', app.url)
      .replace('datetime.now(timezone.utc)', 'datetime(2026, 1, 1, tzinfo=timezone.utc)');
    writeFileSync(
      path.join(folder, 'readme.py'),
      `import os\nos.environ['API_KEY'] = '${app.key}'\n${program}`,
    );
    const { stdout } = await python('readme.py');
    expect(stdout).toMatch(/^260101-\d{6} 30\nduplicate_resource .*\n$/);
  });
});
