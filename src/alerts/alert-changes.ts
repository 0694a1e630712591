import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import { type RecordedEvent, streamName } from '../kernel/event.js';
import { derivedId, type Uuid } from '../kernel/ids.js';
import { UsageSealer } from '../metering/usage-sealer.js';
import {
  startContext,
  type CommandContext,
} from '../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../platform/eventsourcing/command-runner/command-runner.js';
import { Policies, type Policy } from '../platform/eventsourcing/policies/policies.js';
import { EVENT_STORE, type EventStore, foldStream } from '../platform/eventsourcing/store/event-store.js';
import type { AlertChanges, DatedAlert, UsageAlertEvent } from './domain/events.js';
import { alertStreamId, requireAlert, unknownAlert, usageAlertDecider } from './domain/usage-alert.js';
import { UsageAlerts } from './usage-alerts.js';

/** Largest number of alerts of an organization: each is compared with the usage that comes in. */
const MAX_ALERTS = 1_000;

/** Changes alerts. Each change is an event, which is applied to the table before the answer. */
@Injectable()
export class AlertCommands {
  constructor(
    private readonly alerts: UsageAlerts,
    private readonly runner: CommandRunner,
  ) {}

  /** @throws DomainError `invalid_operation` at the limit */
  async create(context: CommandContext, alert: DatedAlert): Promise<DatedAlert> {
    const others = (await this.alerts.list(context.org)).filter(({ alertId }) => alertId !== alert.alertId);
    if (others.length >= MAX_ALERTS) {
      const detail = `An organization has at most ${MAX_ALERTS} usage alerts. Delete one that is not needed any more.`;
      throw new DomainError('invalid_operation', detail);
    }
    const command = { type: 'CreateAlert', alert } as const;
    const { state } = await this.runner.run(
      usageAlertDecider,
      alertStreamId(alert.alertId),
      command,
      context,
    );
    return requireAlert(state);
  }

  /** @throws DomainError `not_found` */
  async change(
    context: CommandContext,
    alertId: Uuid | undefined,
    changes: AlertChanges,
  ): Promise<DatedAlert> {
    if (alertId === undefined) throw unknownAlert();
    const command = { type: 'ChangeAlert', changes } as const;
    const { state } = await this.runner.run(usageAlertDecider, alertStreamId(alertId), command, context);
    return requireAlert(state);
  }

  /** @throws DomainError `not_found` */
  async remove(context: CommandContext, alertId: Uuid): Promise<void> {
    await this.runner.run(usageAlertDecider, alertStreamId(alertId), { type: 'RemoveAlert' }, context);
  }
}

/** Records the alerts that are older than their events, at a start after the upgrade. */
@Injectable()
export class AlertImport {
  constructor(
    private readonly alerts: UsageAlerts,
    private readonly runner: CommandRunner,
  ) {}

  async run(): Promise<void> {
    for (const { org, alert } of await this.alerts.unrecorded()) {
      const context = startContext(org, derivedId(alert.alertId, 'taken-in'));
      const command = { type: 'CreateAlert', alert, takenIn: true } as const;
      await this.runner.run(usageAlertDecider, alertStreamId(alert.alertId), command, context);
    }
  }
}

/** Applies the events of an alert to the table. */
@Injectable()
export class ApplyAlertEvents implements Policy<UsageAlertEvent>, OnModuleInit {
  readonly name = 'usage-alerts';
  readonly on = ['UsageAlertCreated', 'UsageAlertChanged', 'UsageAlertRemoved'] as const;

  constructor(
    private readonly policies: Policies,
    private readonly alerts: UsageAlerts,
    private readonly sealer: UsageSealer,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle({ data: { alertId }, metadata: { org } }: RecordedEvent<UsageAlertEvent>): Promise<void> {
    const stream = streamName('organization', org, alertStreamId(alertId));
    const recorded = async () => (await foldStream(this.store, stream, usageAlertDecider)).state ?? undefined;
    await this.alerts.follow(org, alertId, recorded, await this.sealer.seal(org));
  }
}
