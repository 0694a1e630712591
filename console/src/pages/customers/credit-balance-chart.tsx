import { useQuery } from '@tanstack/react-query';
import { recount } from '../../api/client.js';
import { compactAmountFormat } from '../../charts/axis-format.js';
import { LOCALE } from '../../shared/locale.js';
import { Chart } from '../../charts/chart.js';
import { seriesOf } from '../../charts/chart-data.js';
import { formatAmount, formatQuantity } from '../../shared/amount.js';
import { formatDayOf, formatInstant } from '../../shared/instant.js';
import { QueryView } from '../../shared/query-view.js';
import { balancesOf } from './credit-balance.js';

/** Number of changes with a bar of their own. */
const MOST_BARS = 40;

interface BalanceProps {
  readonly customerId: string;
  readonly zone: string;
}

/** Draws the customer's credit balance after each change, a chart per currency; nothing without a credit. */
export function CreditBalanceChart({ customerId, zone }: BalanceProps) {
  const query = useQuery({
    queryKey: ['credits', 'balance', customerId],
    queryFn: async ({ signal }) => {
      const [credits, voids] = await Promise.all([
        recount.listCredits({ customer_id: customerId, limit: 1_000 }, { signal }).all(),
        recount
          .listAuditLog({ customer_id: customerId, event_type: 'CreditVoided', limit: 1_000 }, { signal })
          .all(),
      ]);
      const voidedAt = new Map(voids.map(({ subject, recorded_at: at }) => [subject.id, at]));
      const codes = [...new Set(credits.map(({ currency }) => currency.code))];
      return codes.map((code) => ({
        code,
        balances: balancesOf(
          credits.filter(({ currency }) => currency.code === code),
          voidedAt,
        ),
      }));
    },
  });
  return (
    <QueryView query={query}>
      {(currencies) =>
        currencies.map(({ code, balances }) => {
          const shown = balances.slice(-MOST_BARS);
          const leftOut = balances.length - shown.length;
          return (
            <Chart
              key={code}
              title={currencies.length === 1 ? 'Credit balance over time' : `Credit balance in ${code}`}
              headline={formatAmount(shown.at(-1)!.balance, code)}
              of="After the change on"
              series={seriesOf('Balance')}
              rows={shown.map(({ at, balance }) => ({
                label: formatInstant(at, zone),
                tick: formatDayOf(at, zone),
                values: [balance],
              }))}
              format={(value) => formatAmount(value, code)}
              axisFormat={compactAmountFormat(LOCALE, code)}
              note={
                leftOut === 0
                  ? 'One bar after each change: a grant, an invoice paid with credit, an expiry or a void.'
                  : `The last ${MOST_BARS} changes; ${formatQuantity(leftOut)} earlier ones are not shown.`
              }
            />
          );
        })
      }
    </QueryView>
  );
}
