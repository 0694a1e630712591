import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { SubjectErased, Vault } from '../../platform/privacy/vault.js';
import type { DocumentKind } from './domain/kept-documents.js';

interface Kept {
  readonly pdf: string;
  /**
   * Name of the document, sealed with it, so that a row cannot be exchanged for another one of the customer. Undefined
   * for a document of an earlier release; its title has the number of its invoice.
   */
  readonly of?: string;
}

export interface PdfName {
  readonly org: Uuid;
  readonly invoiceId: Uuid;
  readonly number: string;
  readonly customerKey: Uuid;
  readonly isVoided: boolean;
}

/**
 * Keeps the first version of each document, sealed. A document that shows a person opens only while that person's key
 * exists.
 */
@Injectable()
export class PdfStore {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** Loads the document with the person on it; undefined when it was never made or the person was erased. */
  async find(name: PdfName): Promise<Buffer | undefined> {
    const sealed = await this.read(name, kindOf(name));
    if (sealed === undefined) return undefined;
    const kept = await this.vault.unseal<Kept>(name.org, name.customerKey, sealed);
    if (!kept) return undefined;
    const bytes = bytesOf(kept);
    const isOwn = kept.of === undefined ? isTitled(bytes, name.number) : kept.of === recordOf(name);
    // A row that was exchanged in the database has the name of another document.
    return isOwn ? bytes : undefined;
  }

  async findErased(name: PdfName): Promise<Buffer | undefined> {
    const sealed = await this.read(name, erasedKindOf(name));
    if (sealed === undefined) return undefined;
    return bytesOf(this.vault.openRecord<Kept>(name.org, recordOf(name), sealed));
  }

  /**
   * Stores a document and returns the stored bytes. If two requests make it at once, both get the bytes of the first.
   * Returns undefined where the person was erased while the document was made.
   */
  async keep(name: PdfName, pdf: Buffer): Promise<Buffer | undefined> {
    const sealed = await this.seal(name, pdf);
    if (sealed === undefined) return undefined;
    await this.write(name, kindOf(name), sealed);
    return (await this.find(name)) ?? pdf;
  }

  async keepErased(name: PdfName, pdf: Buffer): Promise<Buffer> {
    const sealed = this.vault.sealRecord(name.org, recordOf(name), keptOf(name, pdf));
    await this.write(name, erasedKindOf(name), sealed);
    return (await this.findErased(name)) ?? pdf;
  }

  private async seal(name: PdfName, pdf: Buffer): Promise<string | undefined> {
    try {
      return await this.vault.seal(name.org, name.customerKey, keptOf(name, pdf));
    } catch (error) {
      if (error instanceof SubjectErased) return undefined;
      throw error;
    }
  }

  private async read({ org, invoiceId }: PdfName, kind: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query<{ sealed: string }>({
      name: 'invoice-pdfs-find',
      text: 'select sealed from invoice_pdfs where org = $1 and invoice_id = $2 and kind = $3',
      values: [org, invoiceId, kind],
    });
    return rows[0]?.sealed;
  }

  private async write({ org, invoiceId }: PdfName, kind: string, sealed: string): Promise<void> {
    await this.database.pool.query({
      name: 'invoice-pdfs-keep',
      text: `insert into invoice_pdfs (org, invoice_id, kind, sealed) values ($1, $2, $3, $4)
        on conflict do nothing`,
      values: [org, invoiceId, kind, sealed],
    });
  }
}

export const kindOf = ({ isVoided }: PdfName) => (isVoided ? 'voided' : 'issued');
export const erasedKindOf = ({ isVoided }: PdfName): DocumentKind =>
  isVoided ? 'voided_erased' : 'issued_erased';
const recordOf = (name: PdfName): string => `invoice-pdf.${name.invoiceId}.${kindOf(name)}`;
const keptOf = (name: PdfName, pdf: Buffer): Kept => ({ pdf: pdf.toString('base64'), of: recordOf(name) });
const bytesOf = ({ pdf }: Kept): Buffer => Buffer.from(pdf, 'base64');
/** Tells whether a number stands in the title of a PDF, which is not compressed: in Latin letters, or in UTF-16. */
const isTitled = (pdf: Buffer, number: string): boolean =>
  pdf.includes(number) || pdf.includes(Buffer.from(number, 'utf16le').swap16());
