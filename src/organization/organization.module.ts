import { Global, Module } from '@nestjs/common';
import { ApiKeyDirectory } from '../platform/http/auth/authentication.js';
import { ApiKeys, KeySeals } from './api-keys/api-keys.js';
import { ApplyKeyEvents, ApiKeyImport } from './api-keys/import-keys.js';
import { KeyRecords } from './api-keys/key-records.js';
import { ChangeSettingsHandler } from './commands/change-settings.js';
import { CreateApiKeyHandler, RevokeApiKeyHandler, RotateApiKeyHandler } from './commands/api-keys.js';
import { CreateOrganizationHandler, RegisterOrganizationHandler } from './commands/create-organization.js';
import { FirstOrganization } from './first-organization.js';
import { ApiKeysController } from './http/api-keys.controller.js';
import { OrganizationController } from './http/organization.controller.js';
import { OrganizationsController } from './http/organizations.controller.js';
import { PingController } from './http/ping.controller.js';
import { LogoStore } from './logos/logo-store.js';
import { OrganizationReader, SettingsEtagLocator } from './organization-reader.js';
import { GetSettingsHandler, ReadCustomerDefaultsHandler } from './queries/get-settings.js';
import { ListApiKeysHandler } from './queries/list-api-keys.js';
import { ListOrganizationsHandler } from './queries/list-organizations.js';

/** Tenants, their settings and API keys. The module is global: every module reads settings, and the guard checks keys. */
@Global()
@Module({
  controllers: [PingController, OrganizationController, OrganizationsController, ApiKeysController],
  providers: [
    ApiKeys,
    ApplyKeyEvents,
    KeyRecords,
    KeySeals,
    ApiKeyImport,
    { provide: ApiKeyDirectory, useExisting: ApiKeys },
    LogoStore,
    OrganizationReader,
    SettingsEtagLocator,
    CreateOrganizationHandler,
    RegisterOrganizationHandler,
    ChangeSettingsHandler,
    CreateApiKeyHandler,
    RotateApiKeyHandler,
    RevokeApiKeyHandler,
    GetSettingsHandler,
    ListApiKeysHandler,
    ListOrganizationsHandler,
    ReadCustomerDefaultsHandler,
    FirstOrganization,
  ],
  exports: [ApiKeyDirectory, KeyRecords, KeySeals, LogoStore, OrganizationReader],
})
export class OrganizationModule {}
