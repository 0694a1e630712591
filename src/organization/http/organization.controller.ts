import { Body, Controller, Get, Patch } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { presentAddress } from '../../customer/customer-directory.js';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import { ChangeSettings } from '../commands/change-settings.js';
import type { Settings } from '../domain/events.js';
import { GetSettings } from '../queries/get-settings.js';
import { ChangeSettingsBody, toSettingsChanges } from './change-settings.body.js';
import { logoBytes } from './document-settings.body.js';
import { presentDocumentSettings } from './document-settings.js';
import { ORGANIZATION } from './organization-schema.js';

@Controller('api/organization')
export class OrganizationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation({ summary: 'Returns the settings of the organization.', answer: ORGANIZATION })
  async getOrganization(@Caller() { org }: Caller) {
    return present(org, await this.queries.execute(new GetSettings(org)));
  }

  @Patch()
  @RequireScope('admin')
  @Operation({
    summary: 'Changes the settings of the organization.',
    answer: ORGANIZATION,
    body: ChangeSettingsBody,
  })
  async updateOrganization(@Ctx() context: CommandContext, @Body() body: ChangeSettingsBody) {
    return present(
      context.org,
      await this.commands.execute(new ChangeSettings(context, toSettingsChanges(body), logoBytes(body))),
    );
  }
}

function present(org: Uuid, settings: Settings): WireOf<typeof ORGANIZATION> {
  return {
    organization_id: toWireId('org', org),
    organization_name: settings.name,
    default_currency_code: settings.defaultCurrency,
    timezone: settings.timezone,
    /** Percent; null: no tax. */
    tax_rate: settings.taxRate === null ? null : Number(settings.taxRate),
    address: presentAddress(settings.address),
    email: settings.email,
    phone: settings.phone,
    /** Days from issue to due date; null: invoices carry no due date. */
    payment_grace_period: settings.paymentGraceDays,
    late_event_grace_minutes: settings.lateEventGraceMinutes,
    subscription_filter_keys: settings.subscriptionFilterKeys,
    feature_access_policy: settings.featureAccessPolicy,
    proration_basis: settings.prorationBasis,
    ...presentDocumentSettings(settings),
  };
}
