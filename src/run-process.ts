import { StartStopped } from './await-stores.js';
import { readConfig } from './platform/config/read-config.js';
import { ConfigError } from './platform/config/environment-reader.js';
import { markBuildInUse } from './platform/build-in-use.js';
import type { Config } from './platform/config/config.js';
import { limitHeapGrowth } from './platform/memory.js';
import { createLogger } from './platform/telemetry/logger.js';
import { startService } from './service.js';
import { startFailure } from './start-failure.js';

/** Limit of a stop; afterwards the process exits. */
const LONGEST_STOP_MS = 8_000;

/** Starts the service, and ends the process on a signal or when the service cannot start. */
export function runProcess(env: Readonly<Record<string, string | undefined>>): void {
  limitHeapGrowth();
  markBuildInUse(import.meta.dirname);
  const config = configure(env);
  const logger = createLogger(config.logLevel);
  const stopping = new AbortController();
  const starting = startService(config, logger, stopping.signal);

  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    // Ctrl-C signals a whole process group, and npm forwards it a second time.
    if (isStopping) return;
    isStopping = true;
    stopping.abort();
    logger.info({ signal }, 'The process stops.');
    setTimeout(() => {
      logger.error({}, 'Work under way did not end in time. The process ends without it.');
      process.exit(1);
    }, LONGEST_STOP_MS).unref();
    starting
      .then((service) => service.stop())
      .then(
        () => process.exit(0),
        (err: unknown) => {
          if (err instanceof StartStopped) process.exit(0);
          logger.error({ err }, 'The service did not stop cleanly.');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  starting.then(
    ({ url, lost }) => {
      logger.info({ url, roles: [...config.roles] }, 'Recount is running.');
      void lost.then((error) => {
        process.stderr.write(`${error.message}\n`);
        process.exit(1);
      });
    },
    (error: unknown) => {
      if (error instanceof StartStopped) return;
      process.stderr.write(`${startFailure(error, config)}\n`);
      logger.debug({ err: error }, 'The service did not start.');
      process.exit(1);
    },
  );
}

function configure(env: Readonly<Record<string, string | undefined>>): Config {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
