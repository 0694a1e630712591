import type { INestApplicationContext } from '@nestjs/common';
import { Doctor } from '../audit/doctor/doctor.js';

/** Says of each invariant whether it holds, and what breaks it. */
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
