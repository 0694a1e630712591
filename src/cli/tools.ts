import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { customerKeys } from '../customer/customer-directory.js';
import { MIGRATIONS } from '../migrations.js';
import { UPCASTERS } from '../upcasters.js';
import type { Config } from '../platform/config/config.js';
import { readConfig } from '../platform/config/read-config.js';
import { limitHeapGrowth } from '../platform/memory.js';
import { openPlatform, type Platform } from '../platform/platform.js';
import { createLogger, NestLog } from '../platform/telemetry/logger.js';

/** Application without projections, scheduler or HTTP: only the command writes. */
export interface Tools {
  readonly app: INestApplicationContext;
  close(): Promise<void>;
}

/** Part of the application that a command needs; a smaller part starts sooner. */
export type Composition = (platform: Platform) => DynamicModule | Promise<DynamicModule>;

/** The part of the application that a command needs, and whether it may bring the schema up to this build. */
type Needs = [composition?: Composition | undefined, mayUpgrade?: boolean | undefined];

const wholeApplication: Composition = async (platform) =>
  (await import('../app.module.js')).AppModule.of(platform);

/** Default data folders of `npm start` and `npm run demo` without DATA_DIR. */
const USUAL_FOLDERS = ['.data', '.data/demo'];

/**
 * Opens the stores of the environment, or else those in this folder.
 * @throws Error as openTools
 */
export function openToolsFor(
  env: Readonly<Record<string, string | undefined>>,
  ...[composition, mayUpgrade]: Needs
): Promise<Tools> {
  limitHeapGrowth();
  const config = readConfig(env);
  if (config.databaseUrl || env.DATA_DIR?.trim()) return openTools(config, composition, mayUpgrade);
  const dataDir = USUAL_FOLDERS.find(hasData);
  if (dataDir === undefined) {
    throw new Error(
      `There is no data in ${USUAL_FOLDERS.join(' or ')} of this folder: start the service once (npm start or ` +
        'npm run demo), or set DATA_DIR or DATABASE_URL as the service has them.',
    );
  }
  return openTools({ ...config, dataDir }, composition, mayUpgrade);
}

const hasData = (dataDir: string): boolean => existsSync(join(dataDir, 'pg', 'data'));

/**
 * Opens the stores of a service, which may be running or stopped.
 * @throws Error with a sentence for the caller
 */
export async function openTools(
  config: Config,
  composition = wholeApplication,
  mayUpgrade = false,
): Promise<Tools> {
  if (!config.databaseUrl && !hasData(config.dataDir)) {
    throw new Error(
      `There is no data in ${config.dataDir}: set DATA_DIR or DATABASE_URL as the service has them.`,
    );
  }
  const logger = createLogger('error');
  const options = {
    migrations: MIGRATIONS,
    upcasters: UPCASTERS,
    subjectKeys: customerKeys,
    isTool: true,
    mayUpgrade,
  };
  const platform = await openPlatform({ ...config, roles: new Set() }, logger, options);
  try {
    const app = await NestFactory.createApplicationContext(await composition(platform), {
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
