import type { History, Invoice, Line } from './history.js';

/** Formats an invoice for comparison, one line of text for each of its lines. */
export const invoiceText = ({ at, lines, amount }: Invoice): string =>
  [at, ...lines.map(lineText), `amount ${amount}`].join('\n  ');

const lineText = ({
  name,
  plan,
  quantity,
  billing_type,
  base,
  plan_adjustment,
  sales_tax,
  credit,
  amount,
  from,
  until,
}: Line): string =>
  `${name} | ${plan} | ${quantity} | ${billing_type} | base ${base} adjusted ${plan_adjustment} tax ${sales_tax} credit ${credit} | ${amount} | ${from} to ${until}`;

/** Formats a history with one line for each step. */
export const historyText = ({ steps, ...rest }: History): string =>
  [JSON.stringify(rest, undefined, 1), ...steps.map((step) => JSON.stringify(step))].join('\n');
