import type { INestApplicationContext } from '@nestjs/common';
import { Doctor } from '../audit/doctor/doctor.js';

/** Prints for each invariant whether it holds, and its violations. */
export async function* examine(
  app: INestApplicationContext,
  sample: number,
): AsyncGenerator<string, boolean> {
  let isWell = true;
  for await (const { invariant, violations } of app.get(Doctor, { strict: false }).examine(sample)) {
    isWell &&= violations.length === 0;
    yield `${violations.length === 0 ? 'holds ' : 'BROKEN'}  ${invariant}`;
    for (const violation of violations) yield `        ${violation}`;
  }
  return isWell;
}
