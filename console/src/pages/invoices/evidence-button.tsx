import { useMutation } from '@tanstack/react-query';
import { PackageCheck, X } from 'lucide-react';
import { useRef, useSyncExternalStore } from 'react';
import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { longRunningRecount } from '../../api/client.js';
import { receivedBytes, subscribeToBytes } from '../../api/received-bytes.js';
import { formatQuantity } from '../../shared/amount.js';
import { Button } from '../../shared/button.js';
import { Problem } from '../../shared/problem.js';
import { saveFile } from '../../shared/save-file.js';

/** Downloads the evidence of the invoice; `recount-verify` checks it without this service. */
export function EvidenceButton({ invoice }: { readonly invoice: Invoice }) {
  const { invoice_id: id, invoice_number: number } = invoice;
  const running = useRef<AbortController>(undefined);
  const download = useMutation({
    mutationFn: () => {
      running.current = new AbortController();
      return longRunningRecount.getInvoiceEvidence(id, {}, { signal: running.current.signal });
    },
    onSuccess: (bundle) =>
      saveFile(`evidence-${number ?? id}.zip`, new Uint8Array(bundle), 'application/zip'),
  });
  const bytes = useSyncExternalStore(subscribeToBytes, () => receivedBytes(`/api/invoices/${id}/evidence/`));
  if (download.isPending)
    return (
      <Button onClick={() => running.current?.abort()}>
        <X size={14} aria-hidden />
        <span aria-live="polite">
          {bytes === undefined ? 'Collecting events' : `${formatQuantity(Math.ceil(bytes / 1000))} kB`}. Stop
        </span>
      </Button>
    );
  const isStopped = running.current?.signal.aborted === true;
  return (
    <>
      <Button onClick={() => download.mutate()}>
        <PackageCheck size={14} aria-hidden /> Evidence
      </Button>
      {download.error && !isStopped && <Problem error={download.error} />}
    </>
  );
}
