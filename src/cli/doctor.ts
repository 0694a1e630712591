import type { INestApplicationContext } from '@nestjs/common';
import { Doctor, type Examined } from '../audit/doctor/doctor.js';
import { type ExternalCheckpoints, readExternalCheckpoints } from '../transparency/external-checkpoints.js';
import type { Output } from './output.js';

/**
 * Prints for each invariant whether it holds, and its violations. An invariant on a setting that the command lacks neither
 * holds nor is broken.
 * @param checkpoints directory with checkpoints that were stored outside of the database
 */
export async function* examine(
  app: INestApplicationContext,
  sample: number,
  checkpoints?: string,
): AsyncGenerator<Output, boolean> {
  let isHealthy = true;
  const kept = checkpoints === undefined ? undefined : await readExternalCheckpoints(checkpoints);
  for await (const { invariant, violations, unset } of examinedOf(app, sample, kept)) {
    isHealthy &&= violations.length === 0;
    const isBroken = violations.length > 0;
    const isUnset = !isBroken && unset !== undefined;
    const text = [
      isUnset
        ? `unset   ${invariant}: this command has no ${unset}`
        : `${isBroken ? 'BROKEN' : 'holds '}  ${invariant}`,
      ...violations.map((one) => `        ${one}`),
    ];
    yield { text: text.join('\n'), fields: { holds: isUnset ? null : !isBroken, invariant, violations } };
  }
  return isHealthy;
}

/** Examines the files first: those that are checkpoints are compared, however many are not. */
async function* examinedOf(
  app: INestApplicationContext,
  sample: number,
  kept: ExternalCheckpoints | undefined,
): AsyncGenerator<Examined> {
  if (kept) yield { invariant: 'every kept file is a checkpoint', violations: kept.faults };
  yield* app.get(Doctor, { strict: false }).examine(sample, undefined, kept?.heads);
}
