import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { FollowUps, type FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import type { BulkChangeEvent } from '../domain/bulk-change.js';
import { BulkChanges } from './bulk-changes.js';

/** A change by filter that was accepted is made in every subscription it names. Their invoice is made after it. */
@Injectable()
export class ExecuteBulkChange implements FollowUp, OnModuleInit {
  readonly name = 'carry-out-bulk-change';
  readonly on = ['BulkChangeAccepted'];

  constructor(
    private readonly followUps: FollowUps,
    private readonly bulk: BulkChanges,
  ) {}

  onModuleInit(): void {
    this.followUps.register(this);
  }

  async follow(event: RecordedEvent<BulkChangeEvent>): Promise<void> {
    await this.bulk.execute(event, event.data.subscriptionIds, event.data.change);
  }
}
