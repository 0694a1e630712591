import { Link } from '@tanstack/react-router';
import type { Usage } from '../../../../clients/typescript/src/index.js';

interface WindowLinkProps {
  readonly usage: Usage;
  /** Figure that the events make. */
  readonly figure: string;
}

/** Leads from a figure of usage to the events of its window. */
export function WindowLink({ usage, figure }: WindowLinkProps) {
  return (
    <Link
      to="/events"
      aria-label={`${figure} of ${usage.metric_name}: its events`}
      search={{
        customer_id: usage.customer_id,
        subscription_id: usage.subscription_id,
        metric_id: usage.metric_id,
        range_start: usage.start_date,
        range_end: usage.end_date,
      }}
    >
      {figure}
    </Link>
  );
}
