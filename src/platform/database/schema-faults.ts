import { sqlState } from './sql-state.js';

/** SQLSTATE class of statements that name what the schema lacks, or that do not fit its types. */
const SCHEMA_ERRORS = /^42(?!501)...$/;
const UNDEFINED_TABLE = '42P01';
/** Name that a message of PostgreSQL quotes, in the quotation marks of its language. */
const QUOTED = /["»«„“”](.+?)["»«„“”]/;

/** Section that says how a table or view is restored. */
const RESTORE = 'restore it (docs/operating.md#missing-tables)';

/**
 * Describes an error that comes from a schema other than the one this release makes, such as a dropped table, without the
 * words of the server; undefined for any other error.
 */
export function describeSchemaFault(error: unknown): string | undefined {
  const state = sqlState(error);
  if (state === undefined || !SCHEMA_ERRORS.test(state)) return undefined;
  const name = QUOTED.exec((error as Error).message)?.[1];
  if (state === UNDEFINED_TABLE && name !== undefined) {
    return `the table or view ${name} is missing from the database: ${RESTORE}`;
  }
  return `the database has another schema than this release makes (SQLSTATE ${state}): recount projections status names what differs`;
}
