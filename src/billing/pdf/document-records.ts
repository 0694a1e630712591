import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { derivedId } from '../../kernel/ids.js';
import { pastMoment } from '../../platform/as-of/moment.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { keptDocumentsDecider, type DocumentKind } from './domain/kept-documents.js';
import type { PdfName } from './pdf-store.js';

/** Records the hash of each document as an event, so that checkpoints cover it (docs/adr/0091-the-hash-of-a-document-is-an-event.md). */
@Injectable()
export class DocumentRecords {
  constructor(private readonly runner: CommandRunner) {}

  /** Records the hash of a document that is kept, once. A read of the past records nothing. */
  async record({ org, invoiceId, customerKey }: PdfName, kind: DocumentKind, pdf: Buffer): Promise<void> {
    if (pastMoment()) return;
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    const commandId = derivedId(invoiceId, `document.${kind}.${sha256}`);
    const context = { org, commandId, correlationId: commandId, actor: 'system' };
    const document = { invoiceId, customerKey, kind, sha256 };
    await this.runner.run(keptDocumentsDecider, invoiceId, { type: 'KeepDocument', document }, context);
  }
}
