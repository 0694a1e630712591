import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { saveFile } from '../../shared/save-file.js';
import styles from './invoice-page.module.css';

const FORMATS = {
  XML: { read: (id: string) => recount.getEInvoice(id), ending: 'xml', type: 'application/xml' },
  'PDF with XML': {
    read: (id: string) => recount.getEInvoicePdf(id),
    ending: 'pdf',
    type: 'application/pdf',
  },
};

type Format = keyof typeof FORMATS;

/** Downloads the invoice for machines; the service names settings that an e-invoice still needs. */
export function EInvoice({
  invoice: { invoice_id: id, invoice_number: number },
}: {
  readonly invoice: Invoice;
}) {
  const download = useMutation({
    mutationFn: async (format: Format) => {
      const { read, ending, type } = FORMATS[format];
      saveFile(`e-invoice-${number ?? id}.${ending}`, new Uint8Array(await read(id)), type);
    },
  });
  return (
    <Section
      title="E-invoice"
      actions={
        <span className={styles.formats}>
          {(Object.keys(FORMATS) as Format[]).map((format) => (
            <Button
              key={format}
              isBusy={download.isPending && download.variables === format}
              onClick={() => download.mutate(format)}
            >
              <Download size={14} aria-hidden /> {format}
            </Button>
          ))}
        </span>
      }
    >
      <div className={styles.panel} aria-live="polite">
        {download.error ? (
          <Problem error={download.error} />
        ) : (
          <p>
            The invoice for the customer’s bookkeeping, by EN 16931: as XML, or in a PDF (Factur-X, ZUGFeRD).
          </p>
        )}
      </div>
    </Section>
  );
}
