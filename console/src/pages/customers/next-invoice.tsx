import { useQuery } from '@tanstack/react-query';
import { recount } from '../../api/client.js';
import { Amount } from '../../shared/amount.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Section } from '../../shared/page.js';
import { QueryView } from '../../shared/query-view.js';
import styles from './customer-page.module.css';

/** Shows the next invoice as a draft, which is computed now and not stored. */
export function NextInvoice({ customerId }: { readonly customerId: string }) {
  const query = useQuery({
    queryKey: ['draft', customerId],
    queryFn: ({ signal }) => recount.getDraftInvoices(customerId, {}, { signal }),
  });
  return (
    <Section title="Next invoice, as of now">
      <QueryView query={query}>
        {({ invoices }) =>
          invoices.length === 0 ? (
            <EmptyState title="Nothing to invoice so far" />
          ) : (
            invoices.map(({ currency, line_items: lines, amount }) => (
              <div key={currency.code} className={styles.draft}>
                {lines.map((line, index) => (
                  <div key={index} className={styles.draftLine}>
                    <span>{line.name}</span>
                    <Amount value={line.amount} currency={currency.code} />
                  </div>
                ))}
                <div className={styles.draftLine}>
                  <span>Total</span>
                  <Amount value={amount} currency={currency.code} />
                </div>
              </div>
            ))
          )
        }
      </QueryView>
    </Section>
  );
}
