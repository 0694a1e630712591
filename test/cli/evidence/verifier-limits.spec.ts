import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { derivedId, toWireId, type Uuid } from '../../../src/kernel/ids.js';
import type { Source } from '../../../verifier/platform.js';
import { nodePlatform } from '../../../verifier/node/node-platform.js';
import { withoutGaps } from '../../../verifier/evidence-gaps.js';
import { Archive } from '../../../verifier/read-archive.js';
import { BundleFiles, readManifest } from '../../../verifier/read-manifest.js';
import { readShared } from '../../../verifier/read-shared.js';
import { PartVerifier } from '../../../verifier/verify-part.js';
import { startTestApp } from '../../support/app.js';
import { recount } from '../../support/recount.js';
import { withoutProofs } from '../../tamper/hostile-changes.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import {
  packed,
  unpack,
  withLines,
  withManifest,
  type BundleFiles as Files,
  type Forged,
} from './edit-bundle.js';
import { verifyFiles } from './verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-limits-'));
const inFolder = (name: string): string => path.join(folder, name);
let honest: Files;

beforeAll(async () => {
  const app = await startTestApp({ clockStart: CLOCK_START });
  try {
    await writeShopBooks(app);
    await recount(app, 'audit', 'export', inFolder('all.zip'), '--from', '2026-01-01');
  } finally {
    await app.stop();
  }
  honest = withoutProofs(await unpack(readFileSync(inFolder('all.zip'))));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function opened(): Promise<BundleFiles> {
  const bytes = await packed(honest);
  const source: Source = {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
  const archive = await Archive.open(source, nodePlatform);
  return new BundleFiles(archive, await readManifest(archive));
}

const sharedOf = async (...limits: { readonly events: number; readonly rows: number }[]) =>
  readShared(await opened(), withoutGaps(), undefined, nodePlatform.verifyEd25519, ...limits);

describe('what the verifier holds and does is limited', () => {
  it('refuses more events that customers share, with the line', async () => {
    await expect(sharedOf({ events: 2_000, rows: 1_000 })).rejects.toThrow(
      /^events\/0000\.jsonl, line \d+: the evidence that customers share has over 2000 characters$/,
    );
  });

  it('refuses more rows of usage batches, with the line', async () => {
    await expect(sharedOf({ events: 1e6, rows: 61 })).rejects.toThrow(
      /^batches\.jsonl, line \d+: the batches have over 61 rows$/,
    );
  });

  it('refuses more evidence of one customer, with the line', async () => {
    const { shared } = await sharedOf();
    const verifier = new PartVerifier(await opened(), shared, 5_000);
    await expect(verifier.verify(1)).rejects.toThrow(
      /^events\/0001\.jsonl, line \d+: the evidence of one customer has over 5000 characters$/,
    );
  });

  it('refuses many invoices that read many events of a term over and over', async () => {
    const events = honest
      .get('events/0001.jsonl')!
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Forged);
    const computed = events.find(
      ({ type, data }) => type === 'InvoiceComputed' && data.inputs.terms.length > 0,
    );
    const [{ subscriptionId }] = computed.data.inputs.terms;
    const customer = computed.stream.split('.')[1] as string;
    const changed = events.find(
      ({ stream }) => stream.endsWith(subscriptionId) && stream.startsWith('subscription-'),
    );
    const COUNT = 1_500;
    const copies = (one: Forged, first: number, dataOf: (index: number) => object): object[] =>
      Array.from({ length: COUNT }, (_, index) => {
        const commandId = derivedId(one.id, `copy ${index}`);
        const metadata = { ...one.metadata, commandId };
        const id = derivedId(commandId, `${one.stream}#0`);
        return { ...one, id, metadata, revision: first + index, data: dataOf(index) };
      });
    const lastOf = (stream: string): number => events.filter((one) => one.stream === stream).length;
    const invoices = copies(computed, lastOf(computed.stream), (index) => ({
      ...computed.data,
      invoiceId: derivedId(computed.id, `invoice ${index}`),
      inputs: {
        ...computed.data.inputs,
        terms: computed.data.inputs.terms.map((term: Forged) => ({
          ...term,
          revision: index % 2 === 0 ? COUNT : COUNT - 1 - index,
        })),
      },
    }));
    const terms = copies(changed, lastOf(changed.stream), () => changed.data);
    const withCopies = (lines: Forged[]): object[] =>
      lines.flatMap((line, at) => {
        const isLast = line.stream !== lines[at + 1]?.stream;
        if (isLast && line.stream === computed.stream) return [line, ...invoices];
        return isLast && line.stream === changed.stream ? [line, ...terms] : [line];
      });
    const stated = honest
      .get('invoices/0001.jsonl')!
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Forged);
    const ofAccount = stated.findLast(({ stream }) => stream === computed.stream);
    const more = invoices.map((one: Forged) => ({
      ...ofAccount,
      id: toWireId('invoice', one.data.invoiceId as Uuid),
      revision: one.revision,
      number: `260101-${one.revision + 900_000}`,
    }));
    const all = stated.flatMap((one) => (one === ofAccount ? [one, ...more] : [one]));
    let forged = withLines(honest, 'events/0001.jsonl', withCopies);
    forged = withLines(forged, 'invoices/0001.jsonl', () => all);
    forged = withManifest(forged, { invoices: all.map(({ number }) => number) });
    const { code, text } = await verifyFiles(forged, inFolder('hostile.zip'));
    expect(text.slice(0, 300)).toMatch(
      new RegExp(
        `^refused: customer ${customer}: its invoices read its \\d+ lines so often that verifying would take too long`,
      ),
    );
    expect(code).toBe(2);
  });

  it('refuses terms whose dates give them windows without end', async () => {
    const withStart = (lines: Forged[]): object[] =>
      lines.map((line) => {
        if (line.type !== 'SubscriptionStarted') return line;
        const term = { ...line.data.term, start: '0001-01-01T00:00:00.000000Z' };
        return { ...line, data: { ...line.data, term } };
      });
    const withDays = (lines: Forged[]): object[] =>
      lines.map((line) => {
        const content = line.data?.version?.content;
        if (!content?.components) return line;
        const components = content.components.map((component: object) => ({
          ...component,
          resetInterval: { unit: 'day', count: 1 },
        }));
        const version = { ...line.data.version, content: { ...content, components } };
        return { ...line, data: { ...line.data, version } };
      });
    let forged = withLines(honest, 'events/0001.jsonl', withStart);
    forged = withLines(forged, 'events/0000.jsonl', withDays);
    const { code, text } = await verifyFiles(forged, inFolder('windows.zip'));
    expect(text.slice(0, 200)).toMatch(
      /^refused: customer [0-9a-f-]{36}: a term of run [0-9a-f-]{36} has over 50000 windows/,
    );
    expect(code).toBe(2);
  });
});
