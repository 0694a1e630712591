import type { Invoice } from '../../../clients/typescript/src/index.js';
import { Amount, formatQuantity } from '../shared/amount.js';
import { formatDayOf } from '../shared/instant.js';
import { lineName } from '../shared/line-name.js';
import { compareLines, type InvoiceComparison, type Outlook } from './outlook.js';
import styles from './outlook-view.module.css';

interface OutlookViewProps {
  readonly outlook: Outlook;
  /** Days of lines are those of the customer's zone. */
  readonly zone: string;
}

/** Shows the effect of an act beside the present state. */
export function OutlookView({ outlook, zone }: OutlookViewProps) {
  const { changes, invoices } = outlook;
  return (
    <div className={styles.outlook}>
      {changes.length > 0 && (
        <table className={styles.table}>
          <caption>What changes</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">Now</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, now, then }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{now}</td>
                <td>{then}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {invoices && <InvoiceTable comparison={invoices} zone={zone} />}
    </div>
  );
}

interface InvoiceTableProps {
  readonly comparison: InvoiceComparison;
  readonly zone: string;
}

function InvoiceTable({ comparison, zone }: InvoiceTableProps) {
  const lines = compareLines(comparison);
  const { linesLeftOut = 0 } = comparison;
  if (lines.length === 0) return <p className={styles.none}>{comparison.none ?? 'Nothing is invoiced.'}</p>;
  return (
    <div className={styles.scroll} role="region" aria-label="Invoice lines" tabIndex={0}>
      <table className={styles.table}>
        <caption>{comparison.caption}</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col" className={styles.end}>
              Now
            </th>
            <th scope="col" className={styles.end}>
              Then
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, line, currency, now, then }) => (
            <tr key={key} className={now === then ? styles.same : undefined}>
              <th scope="row">
                {lineName(line.name)}
                <small className={styles.days}>
                  {formatDayOf(line.start_date, zone)} – {formatDayOf(line.end_date, zone)}
                </small>
              </th>
              <td className={styles.end}>
                {now === undefined ? '–' : <Amount value={now} currency={currency} />}
              </td>
              <td className={styles.end}>
                {then === undefined ? '–' : <Amount value={then} currency={currency} />}
              </td>
            </tr>
          ))}
          {linesLeftOut > 0 && (
            <tr>
              <td colSpan={3}>
                {formatQuantity(linesLeftOut)} more lines are left out here; the total has all of them.
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className={styles.end}>
              <Totals invoices={comparison.now} />
            </td>
            <td className={styles.end}>
              <Totals invoices={comparison.then} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Totals({ invoices }: { readonly invoices: readonly Invoice[] }) {
  if (invoices.length === 0) return '–';
  return invoices.map(({ invoice_id: id, amount, currency }) => (
    <div key={id}>
      <Amount value={amount} currency={currency.code} />
    </div>
  ));
}
