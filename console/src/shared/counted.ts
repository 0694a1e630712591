import { formatQuantity } from './amount.js';

/** Writes a number of things: `1 event`, `12 events`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatQuantity(count)} ${count === 1 ? one : many}`;
