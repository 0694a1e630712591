import { isStatementTimeout } from '../../platform/database/open-database.js';

/** Thrown for a run whose usage was not counted in the time that a statement may take. */
export class UsageCountTooSlow extends Error {
  override readonly name = 'UsageCountTooSlow';
}

/** Converts the error of a count that was ended because it took too long. Other errors stay as they are. */
export const tooSlowCount = (error: unknown): unknown =>
  isStatementTimeout(error)
    ? new UsageCountTooSlow(
        'The usage that the invoice bills could not be counted in time, as it has very many events or the database is busy. It is counted again with the next try. If that fails too, bill the usage in shorter intervals, or ask the operator of the service for a faster database.',
        { cause: error },
      )
    : error;
