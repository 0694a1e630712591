import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import type { BulkChangeEvent } from '../domain/bulk-change.js';
import { BulkChanges } from './bulk-changes.js';

/** A change by filter that was accepted is made in every subscription it names. Their invoice is made after it. */
@Injectable()
export class ExecuteBulkChange implements Policy, OnModuleInit {
  readonly name = 'carry-out-bulk-change';
  readonly on = ['BulkChangeAccepted'];

  constructor(
    private readonly policies: Policies,
    private readonly bulk: BulkChanges,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent<BulkChangeEvent>): Promise<void> {
    await this.bulk.execute(event, event.data.subscriptionIds, event.data.change);
  }
}
