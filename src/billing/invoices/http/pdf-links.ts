import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors.js';
import { fromWireId, toWireId, type Uuid } from '../../../kernel/ids.js';
import type { QueryParams } from '../../../platform/http/query/query-params.js';
import { Vault } from '../../../platform/privacy/vault.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Query parameters of a link. */
export const PDF_LINK = {
  org: (q: QueryParams) => q.one('org'),
  expires: (q: QueryParams) => q.one('expires'),
  signature: (q: QueryParams) => q.one('signature'),
};

/** Signs and verifies links to PDFs. A link needs no API key and is valid for a day of wall time. */
@Injectable()
export class PdfLinks {
  constructor(private readonly vault: Vault) {}

  /** Valid for 24 hours and up to the next full one, so that two answers within an hour have the same link. */
  make(baseUrl: string, org: Uuid, invoiceId: Uuid): string {
    const expires = Math.ceil((now() + DAY) / HOUR) * HOUR;
    const signature = this.signatureOf(org, invoiceId, expires).toString('base64url');
    const query = `org=${toWireId('org', org)}&expires=${expires}&signature=${signature}`;
    return `${baseUrl}/api/invoices/${toWireId('invoice', invoiceId)}/pdf/?${query}`;
  }

  /**
   * Returns the id of the invoice that a link opens.
   * @throws DomainError `permission_denied` for a link that expired or was not made here, whatever was altered in it
   */
  open(invoiceId: string, query: QueryParams): { readonly org: Uuid; readonly invoiceId: Uuid } {
    if (query.faultsOf(PDF_LINK).length > 0) throw refused();
    const sent = query.read(PDF_LINK);
    const org = fromWireId('org', sent.org ?? '');
    const id = fromWireId('invoice', invoiceId);
    const expires = Number(sent.expires);
    const signature = Buffer.from(sent.signature ?? '', 'base64url');
    if (!org || !id || !Number.isSafeInteger(expires)) throw refused();
    const expected = this.signatureOf(org, id, expires);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) throw refused();
    if (expires <= now()) throw refused();
    return { org, invoiceId: id };
  }

  private signatureOf(org: Uuid, invoiceId: Uuid, expires: number): Buffer {
    return this.vault.signLink(`invoice-pdf\n${org}\n${invoiceId}\n${expires}`);
  }
}

const now = (): number => Math.floor(Date.now() / 1000);

const refused = (): DomainError =>
  new DomainError(
    'permission_denied',
    'This link has expired or is not as it was given out. Ask for a new one: GET /api/invoices/{id}/pdf_url/.',
  );
