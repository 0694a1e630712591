import { ConfigError, readConfig } from './platform/config/read-config.js';
import type { Config } from './platform/config/config.js';
import { createLogger } from './platform/telemetry/logger.js';
import { startService, type Service } from './service.js';

/** A stop that takes longer is not one. */
const LONGEST_STOP_MS = 8_000;

function configure(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const mistake of error.mistakes) console.error(mistake);
    process.exit(1);
  }
}

const config = configure();
const logger = createLogger(config.logLevel);
const starting = startService(config, logger);

let stopping = false;
const stop = (signal: NodeJS.Signals): void => {
  if (stopping) return;
  stopping = true;
  logger.info({ signal }, 'stopping');
  setTimeout(() => {
    logger.error({}, 'What is under way does not end; the process ends without it.');
    process.exit(1);
  }, LONGEST_STOP_MS).unref();
  starting
    .then((service: Service) => service.stop())
    .then(
      () => process.exit(0),
      (err: unknown) => {
        logger.error({ err }, 'The service did not stop cleanly.');
        process.exit(1);
      },
    );
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

starting.then(
  ({ url }) => logger.info({ url, roles: [...config.roles] }, 'Recount is running.'),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    logger.debug({ err: error }, 'The service did not start.');
    process.exit(1);
  },
);
