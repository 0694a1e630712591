import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { customerKeys } from '../customer/customer-keys.js';
import { MIGRATIONS } from '../migrations.js';
import { UPCASTERS } from '../upcasters.js';
import type { Config } from '../platform/config/config.js';
import { openPlatform } from '../platform/platform.js';
import { createLogger, NestLog } from '../platform/telemetry/logger.js';

/** The application without projections, scheduler or HTTP: only the command writes. */
export interface Tools {
  readonly app: INestApplicationContext;
  close(): Promise<void>;
}

/** Opens the stores of a service, which may be running or stopped. @throws Error with a sentence for the caller */
export async function openTools(config: Config): Promise<Tools> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'pg', 'data'))) {
    throw new Error(
      `There is no data in ${config.dataDir}: set DATA_DIR or DATABASE_URL as the service has them.`,
    );
  }
  const logger = createLogger('error');
  const options = { migrations: MIGRATIONS, upcasters: UPCASTERS, subjectKeys: customerKeys, isTool: true };
  const platform = await openPlatform({ ...config, roles: new Set() }, logger, options);
  try {
    const app = await NestFactory.createApplicationContext(AppModule.of(platform), {
      abortOnError: false,
      logger: new NestLog(logger),
    });
    return {
      app,
      close: async () => {
        await app.close();
        await platform.close();
      },
    };
  } catch (error) {
    await platform.close();
    throw error;
  }
}
