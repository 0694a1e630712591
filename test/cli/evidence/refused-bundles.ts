import { randomBytes } from 'node:crypto';
import { withoutProofs } from '../../tamper/hostile-changes.js';
import { withFiles, withLines, withManifest, type BundleFiles, type Forged } from './edit-bundle.js';

type Change = (honest: BundleFiles) => BundleFiles;

const edited =
  (name: string, change: (lines: Forged[]) => object[]): Change =>
  (honest) =>
    withLines(honest, name, change);
const manifestWith =
  (changes: object): Change =>
  (honest) =>
    withManifest(honest, changes);

const withText =
  (name: string, change: (text: string) => string): Change =>
  (honest) =>
    withFiles(honest, { [name]: change(honest.get(name)!.toString()) });

/** Bundles that are refused, each with the location that the refusal names. */
export const REFUSED: readonly (readonly [string, Change, RegExp])[] = [
  [
    'of a newer version',
    manifestWith({ version: 5 }),
    /manifest\.json: the bundle has version 5.*take a newer one/,
  ],
  [
    'of the first version, whose usage has no order',
    manifestWith({ version: 1 }),
    /manifest\.json: the bundle has version 1.*export the bundle again/,
  ],
  [
    'of another organization',
    manifestWith({ organization: 'org_00000000-0000-4000-8000-000000000001' }),
    /checkpoint: its origin .+ is of another organization/,
  ],
  [
    'with a file that nobody lists',
    (honest) => new Map([...honest, ['pdfs/260101-000001.pdf', Buffer.from('x')]]),
    /pdfs.260101-000001.pdf: the manifest/,
  ],
  [
    'that would unpack to a thousand times its size',
    (honest) => withFiles(honest, { 'usage/0001.jsonl': ' '.repeat(4_000_000) }),
    /usage.0001\.jsonl: \d+ bytes would unpack to 4000000/,
  ],
  [
    'with events in another order',
    edited('events/0001.jsonl', (lines) => [...lines].reverse()),
    /events.0001\.jsonl, line \d+: /,
  ],
  [
    'with a usage event left out of its batch',
    edited('batches.jsonl', ([first, ...rest]) => [
      { ...first, body_hashes: first!['body_hashes'].slice(1) },
      ...rest,
    ]),
    /batches\.jsonl, line 1: events stated 60, found 59/,
  ],
  [
    'with a usage event twice',
    edited('usage/0001.jsonl', (lines) => [...lines, lines[0]!]),
    /usage.0001\.jsonl, line 181: usage event "used-1" is there twice/,
  ],
  [
    'with other properties',
    edited('usage/0001.jsonl', ([first, ...rest]) => [{ ...first, properties: { bytes: 1 } }, ...rest]),
    /usage.0001\.jsonl, line 1: usage event "used-1" has the body hash/,
  ],
  [
    'with an event of another command',
    edited('events/0001.jsonl', ([first, ...rest]) => [{ ...first, id: rest[0]!['id'] }, ...rest]),
    /events.0001\.jsonl, line 1: id stated/,
  ],
  [
    'with an event that names no command',
    edited('events/0001.jsonl', ([first, ...rest]) => [
      { ...first, metadata: { ...first.metadata, commandId: undefined } },
      ...rest,
    ]),
    /events.0001\.jsonl, line 1: metadata: commandId is no string/,
  ],
  [
    'without proofs, with a count of usage left out',
    (honest) =>
      withLines(withoutProofs(honest), 'events/0001.jsonl', (lines) => {
        const count = lines.findIndex(({ type }) => type === 'UsagePeriodClosed');
        return lines.filter((_, at) => at !== count);
      }),
    /events.0001\.jsonl, line \d+: id stated \S+, its command gives it/,
  ],
  [
    'without proofs, with an event that its stream cannot have',
    (honest) =>
      withLines(withoutProofs(honest), 'events/0001.jsonl', ([first, ...rest]) => [
        { ...first, type: 'CustomerForged' },
        ...rest,
      ]),
    /account-\S+@0: CustomerForged: /,
  ],
  [
    'without proofs, with an invoice that has no lines',
    (honest) =>
      withLines(withoutProofs(honest), 'events/0001.jsonl', (lines) =>
        lines.map((line) =>
          line.type === 'InvoiceComputed' ? { ...line, data: { ...line.data, lines: null } } : line,
        ),
      ),
    /account-\S+@\d+: InvoiceComputed: lines is no list/,
  ],
  [
    'with a line that is nested without an end',
    edited('events/0001.jsonl', ([first, ...rest]) => [
      { ...first, data: JSON.parse('['.repeat(2_500) + ']'.repeat(2_500)) as object },
      ...rest,
    ]),
    /events.0001\.jsonl, line 1: nested more than 64 levels deep/,
  ],
  [
    'with a time that is no time',
    edited('usage/0001.jsonl', ([first, ...rest]) => [{ ...first, event_time: '2026-01-03' }, ...rest]),
    /usage.0001\.jsonl, line 1: event_time is no time/,
  ],
  [
    'with a manifest that describes no file',
    (honest) => withManifest(honest, { files: { 'batches.jsonl': { bytes: [], sha256: '' } } }),
    /manifest\.json: "batches\.jsonl": bytes is no integer/,
  ],
  [
    'with more proofs for earlier checkpoints than a bundle has',
    edited('consistency.jsonl', () => Array.from({ length: 202 }, (_, size) => ({ hashes: [], size }))),
    /consistency\.jsonl, line 202: a bundle has at most 201 consistency proofs/,
  ],
  [
    'with a line that has no end',
    // Hexadecimal digits compress to half of their size.
    withText('usage/0001.jsonl', (text) => `${randomBytes(2 * 1024 ** 2).toString('hex')}${text}`),
    /usage.0001\.jsonl, line 1: longer than 2097152 bytes/,
  ],
  [
    'with a batch whose earliest time is no time',
    edited('batches.jsonl', ([first, ...rest]) => [{ ...first, earliest: 'long ago' }, ...rest]),
    /batches\.jsonl, line 1: earliest is no time such as/,
  ],
  [
    'with a member of an event twice',
    withText('events/0001.jsonl', (text) => text.replace('{"data":', '{"data":{},"data":')),
    /events.0001\.jsonl, line 1: not canonical JSON/,
  ],
  [
    'with a member of a usage event twice',
    withText('usage/0001.jsonl', (text) => text.replace('{"batch":', '{"batch":7,"batch":')),
    /usage.0001\.jsonl, line 1: not canonical JSON/,
  ],
  [
    'with an amount to pay twice',
    withText('invoices/0001.jsonl', (text) =>
      text.replace('{"cost_due":', '{"cost_due":{"amount":"1"},"cost_due":'),
    ),
    /invoices.0001\.jsonl, line 1: not canonical JSON/,
  ],
  [
    'with an invoice before an earlier one of its account',
    (honest) => {
      const numbers = (JSON.parse(honest.get('manifest.json')!.toString()) as Forged).invoices as string[];
      const swapped = edited('invoices/0001.jsonl', ([first, second, ...rest]) => [second, first, ...rest]);
      return withManifest(swapped(honest), { invoices: [numbers[1], numbers[0], ...numbers.slice(2)] });
    },
    /invoices.0001\.jsonl, line 2: invoice \S+ is not in the order of streams and revisions/,
  ],
  [
    'with the hashes of a batch twice',
    withText('batches.jsonl', (text) => text.replace('{"body_hashes":', '{"body_hashes":[],"body_hashes":')),
    /batches\.jsonl, line 1: not canonical JSON/,
  ],
  [
    'with an organization twice',
    (honest) =>
      withFiles(honest, {
        'manifest.json': honest
          .get('manifest.json')!
          .toString()
          .replace('"organization":', '"organization":"org_1","organization":'),
      }),
    /manifest\.json: not canonical JSON/,
  ],
  [
    'with a number that no double is',
    withText('proofs/0001.jsonl', (text) => text.replace(/"index":(\d+)/, '"index":$1.00000000000000000001')),
    /proofs.0001\.jsonl, line 1: not canonical JSON/,
  ],
  [
    'with two checkpoints',
    edited('checkpoint.jsonl', ([only]) => [only!, only!]),
    /checkpoint\.jsonl, line 2: a bundle has one checkpoint/,
  ],
];
