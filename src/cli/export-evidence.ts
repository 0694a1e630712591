import { createWriteStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { EvidenceBundles } from '../audit/evidence/evidence-bundle.js';
import { issuedInvoice, type IssuedInvoice } from '../billing/invoices/issued-invoice.js';
import type { InvoiceTables } from '../billing/invoices/invoice-view.js';
import { customerKeyOf, type Uuid } from '../kernel/ids.js';
import { parseInstant, type Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import type { Output } from './output.js';

export interface ExportOptions {
  readonly invoice?: string;
  readonly customer?: string;
  readonly from?: string;
  readonly to?: string;
  readonly pdf: boolean;
}

interface Selection {
  readonly invoice: string | undefined;
  readonly customer: string | undefined;
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
  readonly withPdfs: boolean;
}

/** Reads the options of `audit export`. @returns a sentence where they do not fit */
export function readSelection({ invoice, customer, from, to, pdf }: ExportOptions): Selection | string {
  if (invoice === undefined && customer === undefined && from === undefined && to === undefined) {
    return 'audit export takes --invoice, --customer, or --from and --to.';
  }
  if (invoice !== undefined && (customer ?? from ?? to) !== undefined) {
    return 'audit export takes --invoice without --customer, --from and --to.';
  }
  const [since, until] = [from, to].map((text) => (text === undefined ? undefined : instantOf(text)));
  if (since === null || until === null) {
    return '--from and --to take a date or a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z.';
  }
  return { invoice, customer, from: since, to: until, withPdfs: pdf };
}

const instantOf = (text: string): Instant | null =>
  parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text) ?? null;

/** Writes a bundle to a file. An archive that was cut short is removed. */
export async function* exportEvidence(
  app: INestApplicationContext,
  org: Uuid,
  selection: Selection,
  file: string,
): AsyncGenerator<Output, boolean> {
  const began = performance.now();
  const invoices = await selectedInvoices(app.get(Database), org, selection);
  if (invoices.length === 0) {
    yield 'no issued invoice is selected: nothing was written';
    return false;
  }
  yield { progress: `${invoices.length} invoices` };
  const { withPdfs } = selection;
  const archive = await app.get(EvidenceBundles, { strict: false }).open({ org, invoices, withPdfs });
  const target = createWriteStream(file, { flags: 'wx' });
  try {
    await pipeline(archive, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await unlink(file).catch(() => {});
    throw error;
  }
  const { size } = await stat(file);
  const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
  yield {
    text: `${file}: ${invoices.length} invoices, ${size} bytes, written in ${seconds} s`,
    fields: { file, invoices: invoices.length, bytes: size, seconds },
  };
  return true;
}

async function selectedInvoices(
  database: Database,
  org: Uuid,
  { invoice, customer, from, to }: Selection,
): Promise<readonly IssuedInvoice[]> {
  if (invoice !== undefined) return [await issuedInvoice(database, org, invoice)];
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
  return query.orderBy('invoice_number').execute();
}
