import type { Migration } from './platform/database/migrations.js';
import { CUSTOMER_KEYS_SCHEMA } from './platform/privacy/customer-keys.js';

/** The schema of every module, in the order it is applied. Released steps stay as they are: changes are added below. */
export const MIGRATIONS: readonly Migration[] = [{ name: 'customer-keys', sql: CUSTOMER_KEYS_SCHEMA }];
