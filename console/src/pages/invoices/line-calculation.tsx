import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ExplainedLine, Invoice } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount, formatAmount } from '../../shared/amount.js';
import { Badge } from '../../shared/badge.js';
import { counted } from '../../shared/counted.js';
import { formatExact, formatExactAmount, formatShare } from '../../shared/exact.js';
import { adjustmentName } from './adjustment-name.js';
import { shareOfAdjustment } from './adjustment-share.js';
import { CountedEvents } from './counted-events.js';
import styles from './line-calculation.module.css';
import { partsOfBase, type PartOfBase } from './parts-of-base.js';
import { QuantitySteps } from './quantity-steps.js';
import { amountOfStep, type ExactFormat } from './step-amount.js';
import { TierStepChart } from './tier-step-chart.js';
import { TierTable } from './tier-table.js';
import { TimeStrip } from './time-strip.js';

type Calculation = NonNullable<ExplainedLine['calculation']>;
type Step = Calculation['steps'][number];

const NAMES: Readonly<Record<Step['what'], string>> = {
  recurring_charge: 'Recurring charge',
  prepaid_units: 'Prepaid units',
  usage: 'Usage',
  usage_paid_by_prepaid_units: 'Usage covered by prepaid units',
};

interface LineCalculationProps {
  readonly line: ExplainedLine;
  /** All lines of the invoice: lines of one charge share its calculation. */
  readonly lines: readonly ExplainedLine[];
  readonly invoice: Invoice;
  readonly zone: string | undefined;
}

/** Calculation of a line: its quantity on the tiers, its period, earlier charges, tax, and its events. */
export function LineCalculation({ line, lines, invoice, zone }: LineCalculationProps) {
  const { calculation, usage } = line;
  const currency = invoice.currency.code;
  return (
    <div className={styles.calculation}>
      {calculation?.steps.map((step, index) => (
        <Part key={index} title={NAMES[step.what]}>
          <StepCalculation place={index + 1} step={step} calculation={calculation} currency={currency} />
        </Part>
      ))}
      <Part title="From the price to the line">
        <Sums line={line} lines={lines} invoiceId={invoice.invoice_id} currency={currency} />
      </Part>
      {line.credits.length > 0 && (
        <Part title="Credits">
          <ul className={styles.list}>
            {line.credits.map(({ credit_id: id, amount }) => (
              <li key={id}>
                <CreditName creditId={id} /> <Amount value={amount} currency={currency} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {line.reverses.length > 0 && (
        <Part title="Reverses">
          <ul className={styles.list}>
            {line.reverses.map(({ invoice_id: id, invoice_number: number, line: place, amount }) => (
              <li key={`${id} ${place}`}>
                <Link
                  to="/invoices/$invoiceId"
                  params={{ invoiceId: id }}
                  search={place === null ? {} : { line: String(place) }}
                >
                  <span className="unbroken">{number ?? id}</span>
                  {place !== null && `, line ${place}`}
                </Link>{' '}
                <Amount value={amount} currency={currency} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {usage && (
        <Part title={`${counted(usage.event_count, 'event')} counted`}>
          <QuantitySteps usage={usage} zone={zone} />
          <CountedEvents invoice={invoice} line={line.line} zone={zone} />
        </Part>
      )}
      {line.follows_from.length > 0 && (
        <Part title="Caused by">
          <ul className={styles.list}>
            {line.follows_from.map((event) => (
              <li key={`${event.position} ${event.type}`}>
                <span title={`${event.type} at ${event.position}`}>{wordsOf(event.type)}</span>, by{' '}
                {event.actor_name ?? event.actor}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

/** Writes a type in words: `Subscription started` of `SubscriptionStarted`. */
const wordsOf = (type: string): string =>
  type.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function CreditName({ creditId }: { readonly creditId: string }) {
  const { data: credit } = useQuery({
    queryKey: ['credits', 'one', creditId],
    queryFn: ({ signal }) => recount.getCredit(creditId, { signal }),
  });
  return <>{credit?.description ?? 'Credit'}</>;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface StepCalculationProps {
  /** Number of the step from 1. */
  readonly place: number;
  readonly step: Step;
  readonly calculation: Calculation;
  readonly currency: string;
}

function StepCalculation({ place, step, calculation, currency }: StepCalculationProps) {
  return (
    <>
      {step.tiers.length > 0 ? (
        <>
          {step.bulk_pricing_enabled && (
            <p>
              <Badge tone="info">bulk: all units at one tier</Badge>
            </p>
          )}
          <div className={styles.tiers}>
            <TierStepChart step={step} />
            <TierTable name={`tiers-${place}`} tiers={step.tiers} price={step.price} currency={currency} />
          </div>
        </>
      ) : (
        step.unit_price !== null && (
          <p className="number">
            {formatExact(step.units)} × {formatExactAmount(step.unit_price, currency)} ={' '}
            {formatExactAmount(step.price, currency)}
          </p>
        )
      )}
      <TimeStrip
        full={calculation.full_interval}
        charged={{ start: step.start, end: step.end }}
        zone={calculation.timezone}
      />
      <p className="number">{amountOfStep(step, formatIn(currency))}</p>
    </>
  );
}

const formatIn = (currency: string): ExactFormat => ({
  units: formatExact,
  amount: (text) => formatExactAmount(text, currency),
  share: formatShare,
});

interface SumsProps {
  readonly line: ExplainedLine;
  readonly lines: readonly ExplainedLine[];
  readonly invoiceId: string;
  readonly currency: string;
}

/** Leads from the exact sum to the amount of the line; the rows above each total sum to it. */
function Sums({ line, lines, invoiceId, currency }: SumsProps) {
  const { calculation } = line;
  const amount = (value: number) => <Amount value={value} currency={currency} />;
  const hasTax = line.adjustments.some(({ adjustment_type: type }) => type === 'sales_tax');
  return (
    <table className={styles.sums} aria-label="From the price to the line">
      <tbody>
        {calculation && (
          <Sum name="Sum of the above, unrounded">{formatExactAmount(calculation.exact, currency)}</Sum>
        )}
        {partsOfBase(line, lines).map((part, index) => (
          <Sum key={index} name={<PartName part={part} invoiceId={invoiceId} />}>
            {amount(part.amount)}
          </Sum>
        ))}
        <Sum name="Before adjustments" isTotal>
          {amount(line.base)}
        </Sum>
        {line.adjustments.map((adjustment, index) => (
          <Sum
            key={index}
            name={<AdjustmentName line={line.line} adjustment={adjustment} currency={currency} />}
          >
            {amount(adjustment.amount)}
          </Sum>
        ))}
        <Sum name={hasTax ? 'This line with its tax' : 'Amount of this line'} isTotal>
          {amount(line.amount)}
        </Sum>
      </tbody>
    </table>
  );
}

interface AdjustmentNameProps {
  /** Number of the line. */
  readonly line: number;
  readonly adjustment: ExplainedLine['adjustments'][number];
  readonly currency: string;
}

function AdjustmentName({ line, adjustment, currency }: AdjustmentNameProps) {
  const { figure, allocation } = adjustment;
  const format = { amount: (amount: number) => formatAmount(amount, currency), exact: formatExact };
  return (
    <>
      {adjustmentName(adjustment, formatExact)}
      {shareOfAdjustment({ line, figure, allocation }, format).map((text) => (
        <div key={text} className={styles.caption}>
          {text}
        </div>
      ))}
    </>
  );
}

function PartName({ part, invoiceId }: { readonly part: PartOfBase; readonly invoiceId: string }) {
  if (part.kind === 'rounded') return 'Rounded to the currency';
  const [words, invoice] =
    part.kind === 'earlier'
      ? (['Already charged on', part.invoice] as const)
      : (['Also charged on this invoice:', { id: invoiceId, number: null }] as const);
  return (
    <>
      {words}{' '}
      <Link to="/invoices/$invoiceId" params={{ invoiceId: invoice.id }} search={{ line: String(part.line) }}>
        {[invoice.number, `line ${part.line}`].filter((text) => text !== null).join(', ')}
      </Link>
    </>
  );
}

interface SumProps {
  readonly name: ReactNode;
  readonly isTotal?: boolean;
  readonly children: ReactNode;
}

const Sum = ({ name, isTotal = false, children }: SumProps) => (
  <tr className={isTotal ? styles.total : undefined}>
    <th scope="row">{name}</th>
    <td>{children}</td>
  </tr>
);
