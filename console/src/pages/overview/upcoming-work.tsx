import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { organizationQuery } from '../../api/organization.js';
import { recount } from '../../api/client.js';
import { Amount, formatQuantity } from '../../shared/amount.js';
import { Badge } from '../../shared/badge.js';
import { sumExactly } from '../../shared/exact-sum.js';
import { Fact, Facts } from '../../shared/facts.js';
import { Section } from '../../shared/page.js';
import { QueryView } from '../../shared/query-view.js';
import { AsOf } from './as-of.js';
import { overdueIn } from './chart-rows.js';
import { REPORTS } from './reports.js';
import styles from './overview-page.module.css';

const DAYS = 7;

/** Shows the work due in the next days, and late and parked work. */
export function UpcomingWork() {
  const query = useQuery({
    queryKey: ['upcoming-work', DAYS],
    queryFn: ({ signal }) => recount.getUpcomingWork({ days: DAYS }, { signal }),
  });
  return (
    <Section title={`Due in ${DAYS} days`} actions={<Link to="/operation">Operations</Link>}>
      <QueryView query={query}>
        {(work) => {
          const sum = (field: 'boundaries' | 'accounts'): string =>
            numberOrNone(work.days.reduce((total, day) => total + day[field], 0));
          return (
            <>
              <Facts>
                <Fact name="Subscriptions renewing or ending">{sum('boundaries')}</Fact>
                <Fact name="Accounts to bill">{sum('accounts')}</Fact>
                <Fact name="Payments due">
                  {work.payments.length === 0
                    ? 'none'
                    : work.payments.map(({ currency_code: currency, cost_due: due, invoices }) => (
                        <div key={currency}>
                          <Link to="/invoices" search={{ status: 'unpaid', currency_code: currency }}>
                            <Amount value={due} currency={currency} /> on {formatQuantity(invoices)}
                          </Link>
                        </div>
                      ))}
                </Fact>
                <Fact name="Overdue">
                  <Overdue />
                </Fact>
                <Fact name="Late work">
                  <Count value={work.waiting - work.parked} />
                </Fact>
                <Fact name="Parked work">
                  <Count value={work.parked} />
                </Fact>
                <Fact name="Periods with late usage">{numberOrNone(work.late_usage.windows)}</Fact>
              </Facts>
              <p className={styles.note}>
                <AsOf report={work} />
              </p>
            </>
          );
        }}
      </QueryView>
    </Section>
  );
}

const numberOrNone = (value: number): string => (value === 0 ? 'none' : formatQuantity(value));

/** Highlights a number that should be 0. */
const Count = ({ value }: { readonly value: number }) =>
  value > 0 ? <Badge tone="warn">{formatQuantity(value)}</Badge> : <>none</>;

/** Open amounts whose due date has passed; none are overdue where invoices have no due date. */
function Overdue() {
  const { data: organization } = useQuery(organizationQuery);
  const { data: receivables } = useQuery(REPORTS.receivables);
  if (!organization || !receivables) return <>…</>;
  if (organization.payment_grace_period === null) return <>no due dates set</>;
  const overdue = receivables.rows.map((row) => ({
    currency: row.currency_code,
    amount: sumExactly([row.days_0_30, row.days_31_60, row.days_61_90, row.days_over_90]),
  }));
  const open = overdue.filter(({ amount }) => amount > 0);
  if (open.length === 0) return <>none</>;
  return open.map(({ currency, amount }) => (
    <div key={currency}>
      <Link {...overdueIn(currency)}>
        <Amount value={amount} currency={currency} />
      </Link>
    </div>
  ));
}
