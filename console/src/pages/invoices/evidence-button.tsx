import { useMutation } from '@tanstack/react-query';
import { PackageCheck } from 'lucide-react';
import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { Problem } from '../../shared/problem.js';
import { saveFile } from '../../shared/save-file.js';

/** Downloads the evidence of the invoice; `recount-verify` checks it without this service. */
export function EvidenceButton({ invoice }: { readonly invoice: Invoice }) {
  const name = invoice.invoice_number ?? invoice.invoice_id;
  const download = useMutation({
    mutationFn: () => recount.getInvoiceEvidence(invoice.invoice_id),
    onSuccess: (bundle) => saveFile(`evidence-${name}.zip`, new Uint8Array(bundle), 'application/zip'),
  });
  return (
    <>
      <Button isBusy={download.isPending} onClick={() => download.mutate()}>
        <PackageCheck size={14} aria-hidden /> Evidence
      </Button>
      {download.error && <Problem error={download.error} />}
    </>
  );
}
