import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '../platform/database/open-database.js';

/** @throws Error when no service has created the read models yet, as after a restore */
export async function requireReadModels(app: INestApplicationContext): Promise<void> {
  const { rows } = await app.get(Database).pool.query<{ is_there: boolean }>(
    `select to_regclass('invoices') is not null
         or exists (select from projection_checkpoints where live and commit >= 0) as is_there`,
  );
  if (rows[0]!.is_there) return;
  throw new Error(
    'There are no read models in this database yet. Start the service once, or run: npm run recount -- projections rebuild --all',
  );
}
