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

/** Bundles that are refused, each with the place that the refusal names. */
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
    'with two checkpoints',
    edited('checkpoint.jsonl', ([only]) => [only!, only!]),
    /checkpoint\.jsonl, line 2: a bundle has one checkpoint/,
  ],
];
