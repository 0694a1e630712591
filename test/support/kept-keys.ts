import { IdempotencyKeys } from '../../src/platform/http/idempotency/idempotency-keys.js';
import type { TestApp } from './app.js';

/** What an Idempotency-Key stands in the table as. */
export const keptKey = ({ service, org }: TestApp, key: string): string =>
  service.app.get(IdempotencyKeys, { strict: false }).nameOf(org, key);

/** As if the process had died between the append and the answer. */
export const forgetAnswer = async (app: TestApp, key: string): Promise<void> => {
  const forget = `update idempotency_keys set answer = null, running_until = null where key = $1`;
  const { rowCount } = await app.pool.query(forget, [keptKey(app, key)]);
  if (rowCount !== 1) throw new Error(`nothing was sent under ${key}`);
};
