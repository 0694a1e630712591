import { afterAll } from '@jest/globals';
import { openUsageDatabase, type UsageDatabase } from '../../metering/usage-database.js';
import { usageContract } from './contract.js';

let database: UsageDatabase;
afterAll(() => database.drop());

usageContract('PostgreSQL', async () => {
  const { log, sealer, reader, late } = (database = await openUsageDatabase());
  return {
    append: (...args) => log.append(...args),
    seal: (...args) => sealer.seal(...args),
    countMany: (...args) => reader.countMany(...args),
    firstReceived: (...args) => late.firstReceived(...args),
  };
});
