import { Global, Module } from '@nestjs/common';
import { KeyRegister } from '../platform/http/key-register.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { ChangeSettingsHandler } from './commands/change-settings.js';
import { CreateOrganizationHandler } from './commands/create-organization.js';
import { FirstOrganization } from './first-organization.js';
import { PingController } from './http/ping.controller.js';
import { OrganizationReader } from './organization-reader.js';

/** Tenants, their settings and keys. Global: every module reads settings, and the guard asks for keys. */
@Global()
@Module({
  controllers: [PingController],
  providers: [
    ApiKeys,
    { provide: KeyRegister, useExisting: ApiKeys },
    OrganizationReader,
    CreateOrganizationHandler,
    ChangeSettingsHandler,
    FirstOrganization,
  ],
  exports: [KeyRegister, OrganizationReader],
})
export class OrganizationModule {}
