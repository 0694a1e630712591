import type { Period } from '../../../kernel/period.js';
import { InvalidRequest } from '../../../platform/http/problems/problem.js';

/** @throws InvalidRequest for a range that holds no moment */
export function requireOrder({ start, end }: Period): void {
  if (start < end) return;
  const detail = 'The end of the range is not after its start. Give a later end.';
  throw new InvalidRequest({ code: 'invalid', detail, attr: 'range_end' });
}
