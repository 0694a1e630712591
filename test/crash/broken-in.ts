import { examine } from '../../src/cli/doctor.js';
import { openTools } from '../../src/cli/tools.js';
import { verifyInvoices } from '../../src/cli/verify-invoices.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { printedBy } from '../support/recount.js';

/** Databases of a stopped service. */
export interface Stores {
  readonly databaseUrl: string;
  /** URL of EventStoreDB; undefined when the event log is in the database. */
  readonly eventStoreUrl?: string;
}

/** Returns the lines about faults that `npm run recount -- doctor` and `verify --all` print. */
export async function brokenIn({ databaseUrl, eventStoreUrl }: Stores): Promise<string[]> {
  const env = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: '0'.repeat(64),
    CLOCK: 'manual',
    ...(eventStoreUrl ? { EVENTSTORE_URL: eventStoreUrl } : {}),
  };
  const tools = await openTools(readConfig(env));
  try {
    const sentences: string[] = [];
    for (const command of [examine(tools.app, 1_000), verifyInvoices(tools.app, 'all')]) {
      const { lines, isWell } = await printedBy(command);
      if (!isWell) sentences.push(...lines.filter((line) => !/^(holds|unset) /.test(line)));
    }
    return sentences;
  } finally {
    await tools.close();
  }
}
