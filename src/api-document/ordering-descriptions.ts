const bothWays = (
  field: string,
  ascending: string,
  descending: string,
): Readonly<Record<string, string>> => ({
  [field]: ascending,
  [`-${field}`]: descending,
});

/** Describes each way to order a list. */
export const ORDERINGS = {
  ...bothWays('time_created', 'Earliest event first.', 'Latest event first.'),
  ...bothWays('plan_name', 'By name, without case, from A on.', 'By name, without case, from Z back.'),
  ...bothWays(
    'active_subscriptions',
    'Fewest running subscriptions first.',
    'Most running subscriptions first.',
  ),
  ...bothWays('sequence', 'In the order of sending.', 'Last sent or queued first.'),
  ...bothWays('invoice_number', 'Lowest number first.', 'Highest number first.'),
  ...bothWays(
    'recorded_at',
    'Oldest first, in the order of the log.',
    'Newest first, in the order of the log.',
  ),
  ...bothWays('issue_date', 'Oldest first.', 'Newest first.'),
  ...bothWays('due_date', 'To be paid soonest first.', 'To be paid last first.'),
  ...bothWays('start_date', 'Earliest start first.', 'Latest start first.'),
  ...bothWays('end_date', 'Earliest end first.', 'Latest end first.'),
  ...bothWays('effective_at', 'Earliest start first.', 'Latest start first.'),
  ...bothWays('expires_at', 'Expiring soonest first.', 'Never expiring first.'),
  ...bothWays('amount', 'Lowest amount of each currency first.', 'Highest amount of each currency first.'),
  ...bothWays('amount_remaining', 'Least left of each currency first.', 'Most left of each currency first.'),
  ...bothWays('cost_due', 'Least due of each currency first.', 'Most due of each currency first.'),
  ...bothWays('total_amount_due', 'Least due of each currency first.', 'Most due of each currency first.'),
};
