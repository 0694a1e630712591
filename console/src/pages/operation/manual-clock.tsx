import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { SyntheticEvent } from 'react';
import { longRunningRecount, recount } from '../../api/client.js';
import { counted } from '../../shared/counted.js';
import { formatQuantity } from '../../shared/amount.js';
import { Button } from '../../shared/button.js';
import { Field, TextInput } from '../../shared/field.js';
import { Instant } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import styles from './operation.module.css';

const route = getRouteApi('/operation');

/** Value of a field for a date and a time. */
const MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

interface ManualClockProps {
  readonly now: string;
  readonly zone: string | undefined;
  readonly isAdmin: boolean;
}

/** Shows the manual clock, and the form that moves it forward. */
export function ManualClock({ now, zone, isAdmin }: ManualClockProps) {
  return (
    <Section title="Manual clock">
      <p>
        The clock stands at <Instant at={now} zone={zone} />. Webhook deliveries and API keys have real time.
      </p>
      {isAdmin && <AdvanceForm now={now} />}
    </Section>
  );
}

function AdvanceForm({ now }: { readonly now: string }) {
  const { clock } = route.useSearch();
  const navigate = route.useNavigate();
  const isReadable = clock === undefined || MINUTE.test(clock);
  const to = isReadable && clock !== undefined ? clock : now.slice(0, 16);
  const queryClient = useQueryClient();
  const advance = useMutation({
    // The service reads a time without an offset as UTC.
    mutationFn: () => longRunningRecount.advanceTestClock({ to: `${to}:00Z` }),
    onSuccess: () =>
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' }),
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    advance.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label="Advance to (UTC)"
        hint="Everything that falls due until then is processed."
        error={isReadable ? undefined : `The address has clock=${clock}, which is not a time: it is ignored.`}
      >
        <TextInput
          type="datetime-local"
          required
          value={to}
          min={now.slice(0, 16)}
          onChange={({ target }) =>
            void navigate({
              search: (shown) => ({ ...shown, clock: target.value }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </Field>
      <Button type="submit" look="primary" isBusy={advance.isPending}>
        Advance the clock
      </Button>
      {advance.isPending && <AdvanceProgress from={now} to={`${to}:00Z`} />}
      {advance.error && <Problem error={advance.error} />}
      {advance.data && (
        <p role="status" className={styles.secret}>
          {counted(advance.data.invoices_issued, 'invoice')} issued,{' '}
          {counted(advance.data.subscriptions_renewed, 'subscription')} renewed,{' '}
          {formatQuantity(advance.data.subscriptions_ended)} ended.
        </p>
      )}
    </form>
  );
}

const EVERY_MS = 500;

interface AdvanceProgressProps {
  readonly from: string;
  readonly to: string;
}

/** Shows where the clock is on its way: it stops at every instant at which something falls due. */
function AdvanceProgress({ from, to }: AdvanceProgressProps) {
  const { data } = useQuery({
    queryKey: ['now', 'while-it-advances'],
    queryFn: ({ signal }) => recount.getTestClock({ signal }),
    refetchInterval: EVERY_MS,
    gcTime: 0,
  });
  const at = Date.parse(data?.now ?? from);
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return (
    <p role="status" className={styles.secret}>
      <progress aria-label="Clock" value={Math.max(0, at - start)} max={Math.max(1, end - start)} />{' '}
      <Instant at={data?.now ?? from} />
    </p>
  );
}
