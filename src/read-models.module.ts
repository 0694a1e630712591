import { Module, type DynamicModule } from '@nestjs/common';
import { ProjectionsModule } from '../projections/projections.module.js';
import { USAGE_SUMS } from '../projections/analytics/usage-sums.js';
import { PROJECTIONS } from '../projections/registry.js';
import { API } from './api-document/info.js';
import type { Platform } from './platform/platform.js';
import { PlatformModule } from './platform/platform.module.js';

/** Names of the projections, for the command line. */
export const PROJECTION_NAMES: readonly string[] = [...PROJECTIONS.map(({ name }) => name), USAGE_SUMS];

/** Read models without the engine, for the commands on projections. It starts in half of the time. */
@Module({})
export class ReadModelsModule {
  static of(platform: Platform): DynamicModule {
    return { module: ReadModelsModule, imports: [PlatformModule.of(platform, API), ProjectionsModule] };
  }
}
