import type { INestApplicationContext } from '@nestjs/common';
import { Doctor } from '../audit/doctor/doctor.js';
import { readExternalCheckpoints } from '../transparency/external-checkpoints.js';
import type { Output } from './output.js';

/**
 * Prints for each invariant whether it holds, and its violations.
 * @param checkpoints directory with checkpoints that were stored outside of the database
 */
export async function* examine(
  app: INestApplicationContext,
  sample: number,
  checkpoints?: string,
): AsyncGenerator<Output, boolean> {
  let isHealthy = true;
  const kept = checkpoints === undefined ? [] : await readExternalCheckpoints(checkpoints);
  const doctor = app.get(Doctor, { strict: false });
  for await (const { invariant, violations } of doctor.examine(sample, undefined, kept)) {
    isHealthy &&= violations.length === 0;
    const holds = violations.length === 0;
    const text = [
      `${holds ? 'holds ' : 'BROKEN'}  ${invariant}`,
      ...violations.map((one) => `        ${one}`),
    ];
    yield { text: text.join('\n'), fields: { holds, invariant, violations } };
  }
  return isHealthy;
}
