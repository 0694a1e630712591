import { Module, type DynamicModule } from '@nestjs/common';
import { ProjectionsModule } from '../projections/projections.module.js';
import { PROJECTIONS } from '../projections/registry.js';
import { API } from './api-document/info.js';
import type { Platform } from './platform/platform.js';
import { PlatformModule } from './platform/platform.module.js';

/** The names of the projections, for the command line. */
export const PROJECTION_NAMES: readonly string[] = PROJECTIONS.map(({ name }) => name);

/** The read models without the engine: what the commands on projections need, which starts in half of the time. */
@Module({})
export class ReadModelsModule {
  static of(platform: Platform): DynamicModule {
    return { module: ReadModelsModule, imports: [PlatformModule.of(platform, API), ProjectionsModule] };
  }
}
