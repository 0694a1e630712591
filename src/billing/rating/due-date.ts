import { MINUTE, plusMicros, type Instant } from '../../kernel/instant.js';

/** A due date. `graced`: it is billed when the late-event grace after it has passed. */
export interface DueDate {
  readonly at: Instant;
  readonly graced: boolean;
}

/** Returns the late-event grace in microseconds. */
export const graceOf = ({ lateEventGraceMinutes }: { readonly lateEventGraceMinutes: number }): bigint =>
  BigInt(lateEventGraceMinutes) * MINUTE;

/** Returns the instant at which a due date is billed. */
export const dueInstant = ({ at, graced }: DueDate, grace: bigint): Instant =>
  graced ? plusMicros(at, grace) : at;

/** Returns the date that is billed first; the first argument if both are billed at one instant. */
export function earlierDue(a: DueDate | null, b: DueDate | null, grace: bigint): DueDate | null {
  if (a === null || b === null) return a ?? b;
  return dueInstant(a, grace) <= dueInstant(b, grace) ? a : b;
}
