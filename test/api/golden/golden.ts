import { it } from '@jest/globals';
import { caseOf, type GoldenCase } from '../../golden/cases.js';

/** A worked case of the interface, proven over HTTP; its figures are in `expect`. */
export function golden(id: string, prove: (worked: GoldenCase) => Promise<void>): void {
  const worked = caseOf(id);
  it(`${id}: ${worked.then}`, () => prove(worked));
}
