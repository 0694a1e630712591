import { IdempotencyKeys } from '../../src/platform/http/idempotency/idempotency-keys.js';
import type { TestApp } from './app.js';

/** Returns the name under which an Idempotency-Key is stored. */
export const storedKey = ({ service, org }: TestApp, key: string): string =>
  service.app.get(IdempotencyKeys, { strict: false }).nameOf(org, key);

/** Deletes the stored answer of a key, as if the process had died between append and answer. */
export const forgetAnswer = async (app: TestApp, key: string): Promise<void> => {
  const forget = `update idempotency_keys set answer = null, running_until = null where key = $1`;
  const { rowCount } = await app.pool.query(forget, [storedKey(app, key)]);
  if (rowCount !== 1) throw new Error(`nothing was sent under ${key}`);
};
