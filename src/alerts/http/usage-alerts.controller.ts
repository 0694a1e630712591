import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsDecimalInRange, IsWireId } from '../../platform/http/validation/validators.js';
import { THRESHOLD_TYPES, type ThresholdType } from '../domain/thresholds.js';
import { Body, Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import { invalidFields } from '../../kernel/errors.js';
import { customerKeyOf, derivedId, fromWireId, type Uuid } from '../../kernel/ids.js';
import { exactDecimalText, quantity } from '../../kernel/quantity.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { pageOf } from '../../platform/database/cursor.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { ReferenceTo } from '../../platform/http/references/reference-fields.js';
import { listOf, type WireOf } from '../../platform/http/openapi/schema.js';
import { Page, type QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { AlertReader } from '../alert-reader.js';
import { AlertReferences } from '../alert-references.js';
import { AlertCommands } from '../alert-changes.js';
import type { DatedAlert } from '../domain/events.js';
import { UsageAlerts } from '../usage-alerts.js';
import { presentAlert, USAGE_ALERT } from './alert-schema.js';

const MOST = '9999999999.999999';
const LEAST = '0.000001';

/** Threshold for one customer or for each subscriber of one plan. */
export class CreateUsageAlertBody {
  @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  @IsWireId('metric') metric_id!: string;
  @ReferenceTo('customer') @IsOptional() @IsString() @IsNotEmpty() customer_id?: string;
  @IsOptional() @IsWireId('plan') plan_id?: string;
  @IsOptional() @IsIn(THRESHOLD_TYPES) threshold_type?: ThresholdType;
  @IsDecimalInRange(LEAST, MOST) threshold!: number | string;
}

/** New name or threshold of an alert; omitted fields stay. */
export class UpdateUsageAlertBody {
  @IsOptional() @IsString() @IsNotEmpty() @MaxLength(100) name?: string;
  @IsOptional() @IsDecimalInRange(LEAST, MOST) threshold?: number | string;
}

const PAGE = { page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }) };

type Resource = WireOf<typeof USAGE_ALERT>;

/** Thresholds of usage that trigger the webhook `usage_alert.triggered`. */
@Controller('api/usage-alerts')
export class UsageAlertsController {
  constructor(
    private readonly alerts: UsageAlerts,
    private readonly reader: AlertReader,
    private readonly changes: AlertCommands,
    private readonly references: AlertReferences,
    private readonly directory: CustomerDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @Operation({
    summary: 'Creates a usage alert for a customer or for the subscribers of a plan.',
    answer: USAGE_ALERT,
    body: CreateUsageAlertBody,
  })
  async createUsageAlert(@Ctx() context: CommandContext, @Body() body: CreateUsageAlertBody) {
    const { org, commandId } = context;
    const { customer_id: customerId, plan_id: planText } = body;
    if ((customerId === undefined) === (planText === undefined)) {
      const detail = 'An alert watches one customer or one plan. Give either a customer_id or a plan_id.';
      throw invalidFields({ code: 'invalid', detail, attr: 'customer_id' });
    }
    const customerKey = customerId === undefined ? null : customerKeyOf(org, customerId);
    const metricId = fromWireId('metric', body.metric_id)!;
    const planId = planText === undefined ? null : fromWireId('plan', planText)!;
    await this.references.requireKnown(org, { metricId, planId, customerKey });
    const alert = await this.changes.create(context, {
      alertId: derivedId(commandId, 'usage-alert'),
      name: body.name,
      metricId,
      customerKey,
      planId,
      measure: body.threshold_type ?? 'units',
      threshold: decimalOf(body.threshold),
      createdAt: await this.clock.now(org),
    });
    return this.present(org, alert);
  }

  @Get()
  @Operation({
    summary: 'Lists the usage alerts, the oldest first.',
    answer: listOf(USAGE_ALERT),
    query: PAGE,
  })
  async listUsageAlerts(@Caller() { org }: Caller, @RawQuery() query: QueryParams): Promise<Page<Resource>> {
    const { page } = query.read(PAGE);
    const all = await this.alerts.list(org);
    const { rows, nextCursor } = pageOf(all, page, ({ createdAt: at, alertId: id }) => ({ at, id }));
    const keys = rows.flatMap(({ customerKey }) => customerKey ?? []);
    const summaries = await this.directory.summaries(org, keys);
    return new Page(
      rows.map((alert) => presentAlert(alert, summaries.get(alert.customerKey ?? ''))),
      nextCursor,
    );
  }

  @Get(':usage_alert_id')
  @Operation({ summary: 'Returns a usage alert.', answer: USAGE_ALERT })
  async getUsageAlert(@Caller() { org }: Caller, @Param('usage_alert_id') id: string) {
    return this.present(org, await this.reader.get(org, fromWireId('usage_alert', id)));
  }

  @Patch(':usage_alert_id')
  @Operation({
    summary: 'Changes the name or threshold of a usage alert; a new threshold is told anew.',
    answer: USAGE_ALERT,
    body: UpdateUsageAlertBody,
  })
  async updateUsageAlert(
    @Ctx() context: CommandContext,
    @Param('usage_alert_id') id: string,
    @Body() { name, threshold }: UpdateUsageAlertBody,
  ) {
    const changes = {
      ...(name !== undefined && { name }),
      ...(threshold !== undefined && { threshold: decimalOf(threshold) }),
    };
    const alert = await this.changes.change(context, fromWireId('usage_alert', id), changes);
    return this.present(context.org, alert);
  }

  @Delete(':usage_alert_id')
  @Operation({ summary: 'Removes a usage alert.', answer: USAGE_ALERT })
  async deleteUsageAlert(@Ctx() context: CommandContext, @Param('usage_alert_id') id: string) {
    const alert = await this.reader.get(context.org, fromWireId('usage_alert', id));
    await this.changes.remove(context, alert.alertId);
    return this.present(context.org, alert);
  }

  private async present(org: Uuid, alert: DatedAlert): Promise<Resource> {
    const { customerKey } = alert;
    const summaries = await this.directory.summaries(org, customerKey ? [customerKey] : []);
    return presentAlert(alert, summaries.get(customerKey ?? ''));
  }
}

/** The one text of a decimal, however a caller writes it. */
const decimalOf = (value: number | string): string => exactDecimalText(quantity(String(value)));
