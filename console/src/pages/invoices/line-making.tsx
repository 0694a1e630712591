import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ExplainedLine, Invoice } from '../../../../clients/typescript/src/index.js';
import { Amount } from '../../shared/amount.js';
import { Badge } from '../../shared/badge.js';
import { formatExact, formatShare } from '../../shared/exact.js';
import { CountedEvents } from './counted-events.js';
import styles from './line-making.module.css';
import { TierStair } from './tier-stair.js';
import { TierTable } from './tier-table.js';
import { TimeStrip } from './time-strip.js';

type Calculation = NonNullable<ExplainedLine['calculation']>;
type Step = Calculation['steps'][number];

const NAMES: Readonly<Record<Step['what'], string>> = {
  recurring_charge: 'Recurring charge',
  prepaid_units: 'Prepaid units',
  usage: 'Usage',
  usage_paid_by_prepaid_units: 'Usage that prepaid units have paid',
};

interface LineMakingProps {
  readonly line: ExplainedLine;
  readonly invoice: Invoice;
  readonly zone: string | undefined;
}

/** Calculation of a line: its quantity on the tiers, its period, earlier charges, tax, and its events. */
export function LineMaking({ line, invoice, zone }: LineMakingProps) {
  const { calculation, usage } = line;
  const currency = invoice.currency.code;
  return (
    <div className={styles.making}>
      {calculation?.steps.map((step, index) => (
        <Part key={index} title={NAMES[step.what]}>
          <StepMaking step={step} calculation={calculation} currency={currency} />
        </Part>
      ))}
      <Part title="From the sum to the line">
        <Sums line={line} currency={currency} />
      </Part>
      {line.reverses.length > 0 && (
        <Part title="Reverses">
          <ul className={styles.list}>
            {line.reverses.map(({ invoice_id: id, invoice_number: number, line: place, amount }) => (
              <li key={`${id} ${place}`}>
                <Link
                  to="/invoices/$invoiceId"
                  params={{ invoiceId: id }}
                  search={{ line: String(place ?? '') }}
                >
                  {number ?? id}, line {place}
                </Link>{' '}
                <Amount value={amount} currency={currency} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {usage && line.subscription_id !== null && (
        <Part title={`${formatExact(String(usage.event_count))} events counted`}>
          <CountedEvents
            customerId={invoice.customer.customer_id}
            subscriptionId={line.subscription_id}
            usage={usage}
            zone={zone}
          />
        </Part>
      )}
      <Part title="Follows from">
        <ul className={styles.list}>
          {line.follows_from.map((event) => (
            <li key={`${event.position} ${event.type}`}>
              <code>{event.type}</code>, {event.position}, by {event.actor_name ?? event.actor}
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface StepMakingProps {
  readonly step: Step;
  readonly calculation: Calculation;
  readonly currency: string;
}

function StepMaking({ step, calculation, currency }: StepMakingProps) {
  return (
    <>
      {step.tiers.length > 0 ? (
        <>
          {step.bulk_pricing_enabled && (
            <p>
              <Badge tone="info">all units at one tier</Badge>
            </p>
          )}
          <div className={styles.stair}>
            <TierStair step={step} />
            <TierTable tiers={step.tiers} price={step.price} currency={currency} />
          </div>
        </>
      ) : (
        step.unit_price !== null && (
          <p className="number">
            {formatExact(step.units)} × {formatExact(step.unit_price)} = {formatExact(step.price)} {currency}
          </p>
        )
      )}
      <TimeStrip
        full={calculation.full_interval}
        charged={{ start: step.start, end: step.end }}
        zone={calculation.timezone}
      />
      <p className="number">
        {formatExact(step.price)} × {formatShare(step.fraction)} of the interval = {formatExact(step.amount)}{' '}
        {currency}
      </p>
    </>
  );
}

function Sums({ line, currency }: { readonly line: ExplainedLine; readonly currency: string }) {
  const { calculation } = line;
  return (
    <table className={styles.sums}>
      <tbody>
        {calculation && (
          <>
            <Sum name="Sum of the above, exact">{`${formatExact(calculation.exact)} ${currency}`}</Sum>
            <Sum name="Rounded once to the currency">
              <Amount value={calculation.due} currency={currency} />
            </Sum>
            {calculation.earlier_lines.map((earlier) => (
              <Sum
                key={`${earlier.invoice_id} ${earlier.line}`}
                name={
                  <>
                    Charged before on{' '}
                    <Link
                      to="/invoices/$invoiceId"
                      params={{ invoiceId: earlier.invoice_id }}
                      search={{ line: String(earlier.line) }}
                    >
                      {earlier.invoice_number ?? earlier.invoice_id}, line {earlier.line}
                    </Link>
                  </>
                }
              >
                <Amount value={-earlier.base} currency={currency} />
              </Sum>
            ))}
          </>
        )}
        <Sum name="Base of this line">
          <Amount value={line.base} currency={currency} />
        </Sum>
        {line.adjustments.map((adjustment, index) => (
          <Sum
            key={index}
            name={`${adjustment.adjustment_type.replaceAll('_', ' ')} (${adjustment.rule}${adjustment.figure === null ? '' : ` ${formatExact(adjustment.figure)}`})`}
          >
            <Amount value={adjustment.amount} currency={currency} />
          </Sum>
        ))}
        <Sum name="Amount of this line" isTotal>
          <Amount value={line.amount} currency={currency} />
        </Sum>
      </tbody>
    </table>
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
