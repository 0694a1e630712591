import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CircleCheck, CircleX } from 'lucide-react';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import styles from './invoice-page.module.css';

const route = getRouteApi('/invoices/$invoiceId');

/**
 * Computes the invoice again from the log, and shows the hashes of its inputs and its result. An address with `verified`
 * does so at once.
 */
export function VerificationPanel({ invoiceId }: { readonly invoiceId: string }) {
  const { verified } = route.useSearch();
  const navigate = route.useNavigate();
  const verify = useQuery({
    queryKey: ['invoices', invoiceId, 'verification'],
    queryFn: ({ signal }) => recount.verifyInvoice(invoiceId, { signal }),
    enabled: verified !== undefined,
    staleTime: Infinity,
  });
  const { data: outcome, error, isFetching } = verify;
  const verifyNow = (): void => {
    if (verified !== undefined) return void verify.refetch();
    void navigate({ search: (now) => ({ ...now, verified: 'now' }), replace: true, resetScroll: false });
  };
  return (
    <Section
      title="Verification"
      actions={
        <Button isBusy={isFetching} onClick={verifyNow}>
          Verify now
        </Button>
      }
    >
      <div className={styles.panel} aria-live="polite">
        {error && <Problem error={error} />}
        {!outcome && !error && (
          <p>
            The service recalculates this invoice from the log and compares the result with the invoice
            issued.
          </p>
        )}
        {outcome && (
          <>
            <p className={styles.verdict}>
              {outcome.ok ? (
                <>
                  <CircleCheck size={16} color="var(--good)" aria-hidden /> Recalculated from the log, the
                  invoice is the same.
                </>
              ) : (
                <>
                  <CircleX size={16} color="var(--bad)" aria-hidden /> Recalculated from the log, the invoice
                  differs from the one issued.
                </>
              )}
            </p>
            {outcome.differences.map((difference) => (
              <p key={difference}>{difference}</p>
            ))}
            <dl className={styles.hashes}>
              <div>
                <dt>Fingerprint of the inputs</dt>
                <dd>
                  <code>{outcome.fingerprint}</code>
                </dd>
              </div>
              <div>
                <dt>Hash of lines and amounts</dt>
                <dd>
                  <code>{outcome.result_hash}</code>
                </dd>
              </div>
            </dl>
          </>
        )}
        <ForAuditors />
      </div>
    </Section>
  );
}

/** Says how an auditor checks the evidence without the service, and by which keys (docs/guides/auditing.md). */
function ForAuditors() {
  const { data: keys = [] } = useQuery({
    queryKey: ['audit', 'signing-keys'],
    queryFn: ({ signal }) => recount.listSigningKeys({}, { signal }).all(),
  });
  const signing = keys.filter(({ status }) => status !== 'retired');
  if (signing.length === 0) return null;
  return (
    <dl className={styles.hashes}>
      <div>
        <dt>Verifier key</dt>
        {signing.map(({ verifier_key: key }) => (
          <dd key={key}>
            <code>{key}</code>
          </dd>
        ))}
        <dd>
          An auditor checks the evidence without this service, by <code>recount-verify</code> and this key.
          Give them the key at another time than the evidence.
        </dd>
      </div>
    </dl>
  );
}
