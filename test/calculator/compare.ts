import type { History, Invoice, Line } from './history.js';

/** An invoice as text, to be compared and read. */
export const written = ({ at, lines, amount }: Invoice): string =>
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

/** A history to be read: a line for each step. */
export const told = ({ steps, ...rest }: History): string =>
  [JSON.stringify(rest, undefined, 1), ...steps.map((step) => JSON.stringify(step))].join('\n');
