import type { INestApplicationContext } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { lengthOf } from '../audit/evidence/archive-writer.js';
import { FORMAT_VERSION } from '../audit/evidence/domain/bundle-format.js';
import { EvidenceBundles, type WrittenPart } from '../audit/evidence/evidence-bundle.js';
import { issuedInvoice, type IssuedInvoice } from '../billing/accounts/issued-invoice.js';
import { GetInvoicePdf } from '../billing/pdf/get-invoice-pdf.js';
import type { InvoiceTables } from '../billing/invoices/invoice-view.js';
import { CustomerReader } from '../customer/customer-directory.js';
import { BEFORE_ALL, formatPosition, parsePosition } from '../kernel/event.js';
import { customerKeyOf, type Uuid } from '../kernel/ids.js';
import { parseInstant, type Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import { STORED_EVENTS, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import type { Output } from './output.js';
import { ResumableFile } from './resumable-file.js';

export interface ExportOptions {
  readonly invoice?: string;
  readonly customer?: string;
  readonly from?: string;
  readonly to?: string;
  readonly pdf: boolean;
  readonly personalData: boolean;
  readonly since?: number;
  readonly partEvents?: number;
  readonly resume: boolean;
}

/** Selects invoices by name, or by customer and time of issue. It is JSON in the journal of an export. */
interface Selection {
  readonly invoice?: string | undefined;
  readonly customer?: string | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  readonly withPdfs: boolean;
  /** Undefined: an earlier release began the export. */
  readonly withPersonalData?: boolean;
  /** Size of a tree that the bundle is to continue. */
  readonly since?: number | undefined;
  readonly eventsPerPart?: number | undefined;
}

/** First line of the journal of an export. */
interface ExportHead {
  readonly version: number;
  readonly org: Uuid;
  /** Id of the event store. */
  readonly store: Uuid | null;
  readonly selection: Selection;
  readonly upTo: string;
  readonly checkpoint: number | null;
  /** Undefined: an earlier release began the export. */
  readonly cosignatures?: number;
}

type ExportFile = ResumableFile<ExportHead, WrittenPart>;

/**
 * Reads the options of `audit export`.
 * @returns a sentence when they contradict each other
 */
export function readSelection(options: ExportOptions): Selection | string {
  const { invoice, customer, from, to, pdf, personalData, since: kept, partEvents, resume } = options;
  if (resume) {
    const isSelected =
      pdf || personalData || (invoice ?? customer ?? from ?? to ?? kept ?? partEvents) !== undefined;
    return isSelected
      ? 'audit export takes --resume alone: it goes on with what was selected.'
      : { withPdfs: pdf };
  }
  if (invoice === undefined && customer === undefined && from === undefined && to === undefined) {
    return 'audit export takes --invoice; or one or more of --customer, --from and --to; or --resume.';
  }
  if (invoice !== undefined && (customer ?? from ?? to) !== undefined) {
    return 'audit export takes --invoice without --customer, --from and --to.';
  }
  const [since, until] = [from, to].map((text) => (text === undefined ? undefined : instantOf(text)));
  if (since === null || until === null) {
    return '--from and --to take a date or a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z.';
  }
  if (since && until && since >= until) {
    return 'audit export takes a --from before --to: no invoice is issued in between.';
  }
  const selected = { invoice, customer, from: since, to: until };
  const content = { withPdfs: pdf, withPersonalData: personalData };
  return { ...selected, ...content, since: kept, eventsPerPart: partEvents };
}

const instantOf = (text: string): Instant | null =>
  parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text) ?? null;

/**
 * Writes a bundle to a file. An interrupted one stays, with a journal beside it, to be resumed.
 * @throws Error with a sentence when no invoice is selected or the file cannot be made
 */
export async function* exportEvidence(
  app: INestApplicationContext,
  org: Uuid,
  selection: Selection,
  path: string,
): AsyncGenerator<Output, boolean> {
  const { customer } = selection;
  if (customer !== undefined) await app.get(CustomerReader, { strict: false }).keyOf(org, customer);
  if (!(await isSelected(app.get(Database), org, selection))) {
    throw new Error(
      'No issued invoice is selected, so nothing was written. Select another customer or time.',
    );
  }
  const bundles = app.get(EvidenceBundles, { strict: false });
  const { upTo, ...bounds } = await bundles.bounds(org);
  const store = (await app.get<EventStore>(STORED_EVENTS, { strict: false }).identity()) ?? null;
  const head = { version: FORMAT_VERSION, org, store, selection, upTo: formatPosition(upTo), ...bounds };
  yield* written(app, await ResumableFile.create<ExportHead, WrittenPart>(path, head), path);
  return true;
}

/**
 * Continues an interrupted export. The bundle has the same bytes as without the interruption.
 * @throws Error with a sentence when no export was begun on this data by this release
 */
export async function* resumeEvidence(
  app: INestApplicationContext,
  org: Uuid,
  path: string,
): AsyncGenerator<Output, boolean> {
  const file = await ResumableFile.reopen<ExportHead, WrittenPart>(path, ({ entries }) =>
    entries.reduce((sum, entry) => sum + lengthOf(entry), 0),
  );
  if (!file) {
    throw new Error(
      `No export was broken off in ${path}, as there is no ${path}.resume. Begin one without --resume.`,
    );
  }
  const store = (await app.get<EventStore>(STORED_EVENTS, { strict: false }).identity()) ?? null;
  const { head } = file;
  if (head.version !== FORMAT_VERSION || head.org !== org || head.store !== store) {
    await file.close();
    const began = head.version !== FORMAT_VERSION ? 'with another release' : 'on other data';
    throw new Error(`The export to ${path} began ${began}. Remove it and ${path}.resume, and begin anew.`);
  }
  yield { progress: `${file.steps.length} parts are written` };
  yield* written(app, file, path);
  return true;
}

async function* written(
  app: INestApplicationContext,
  file: ExportFile,
  path: string,
): AsyncGenerator<Output> {
  const began = performance.now();
  const { org, selection, upTo, checkpoint, cosignatures = 0 } = file.head;
  const bounds = { upTo: parsePosition(upTo) ?? BEFORE_ALL, checkpoint, cosignatures };
  const { withPdfs, withPersonalData = false, since, eventsPerPart } = selection;
  const queries = app.get(QueryBus, { strict: false });
  const pdfOf = async (id: Uuid) => (await queries.execute(new GetInvoicePdf(org, id))).bytes;
  const parts = [...file.steps];
  const invoices = (): number => parts.reduce((sum, part) => sum + part.invoices.length, 0);
  let isWhole = false;
  try {
    const bytes = await app.get(EvidenceBundles, { strict: false }).open({
      org,
      bounds,
      withPersonalData,
      since,
      pdfOf: withPdfs ? pdfOf : undefined,
      written: file.steps,
      ...(eventsPerPart && { eventsPerPart }),
      invoices: (after) => selectedInvoices(app.get(Database), org, selection, after),
      partEnded: async (part) => {
        await file.stepEnded(part);
        parts.push(part);
      },
    });
    let reported = parts.length;
    for await (const chunk of bytes) {
      if (parts.length > reported) yield { progress: `${invoices()} invoices in ${parts.length} parts` };
      reported = parts.length;
      await file.write(chunk);
    }
    isWhole = true;
  } catch (error) {
    if (parts.length === 0) throw error;
    throw new Error(`${(error as Error).message}\nGo on with: recount audit export ${path} --resume`, {
      cause: error,
    });
  } finally {
    if (!isWhole) await file.close();
    if (!isWhole && parts.length === 0) await file.discard();
  }
  const size = await file.end();
  const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
  yield {
    text: `${path}: ${invoices()} invoices, ${size} bytes, written in ${seconds} s`,
    fields: { file: path, invoices: invoices(), bytes: size, seconds },
  };
}

/** Number of invoices read by one statement. */
const PAGE = 2_000;

async function isSelected(database: Database, org: Uuid, selection: Selection): Promise<boolean> {
  for await (const _ of selectedInvoices(database, org, selection)) return true;
  return false;
}

async function* selectedInvoices(
  database: Database,
  org: Uuid,
  selection: Selection,
  after?: Uuid,
): AsyncGenerator<IssuedInvoice> {
  const { invoice } = selection;
  if (invoice === undefined) yield* pagesOf(database, org, selection, after);
  else if (after === undefined) yield await issuedInvoice(database, org, invoice);
}

async function* pagesOf(
  database: Database,
  org: Uuid,
  { customer, from, to }: Selection,
  afterCustomer: Uuid | undefined,
): AsyncGenerator<IssuedInvoice> {
  let query = database.db
    .withTables<InvoiceTables>()
    .selectFrom('invoices')
    .select(['org', 'invoice_id', 'invoice_number', 'customer_key', 'currency', 'issued_at'])
    .select('computed_revision')
    .where('org', '=', org)
    .where('invoice_number', 'is not', null);
  if (customer !== undefined) query = query.where('customer_key', '=', customerKeyOf(org, customer));
  if (from !== undefined) query = query.where('issued_at', '>=', from);
  if (to !== undefined) query = query.where('issued_at', '<', to);
  if (afterCustomer !== undefined) query = query.where('customer_key', '>', afterCustomer);
  let last: IssuedInvoice | undefined;
  for (;;) {
    const after = last;
    const page = after
      ? query.where((where) =>
          where(
            where.refTuple('customer_key', 'currency', 'computed_revision'),
            '>',
            where.tuple(after.customer_key, after.currency, after.computed_revision),
          ),
        )
      : query;
    const rows = await page
      .orderBy('customer_key')
      .orderBy('currency')
      .orderBy('computed_revision')
      .limit(PAGE)
      .execute();
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}
