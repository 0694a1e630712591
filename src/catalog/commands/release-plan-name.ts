import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import { FollowUps, type FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { foldStream } from '../../platform/eventsourcing/store/fold-stream.js';
import { planAggregate } from '../domain/plan.js';
import { NameClaims } from './name-claims.js';

/** A plan that was renamed or deleted leaves its former name to others, unless it took it back since. */
@Injectable()
export class ReleasePlanName implements FollowUp, OnModuleInit {
  readonly name = 'release-plan-name';
  readonly on = ['PlanDetailsChanged', 'PlanDeleted'];

  constructor(
    private readonly followUps: FollowUps,
    private readonly names: NameClaims,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.followUps.register(this);
  }

  async follow({ stream, revision, metadata }: RecordedEvent): Promise<void> {
    const { state: former } = await foldStream(this.store, stream, planAggregate, revision - 1n);
    const { state: plan } = await foldStream(this.store, stream, planAggregate);
    if (!former || !plan || (plan.deletedAt === null && plan.name === former.name)) return;
    await this.names.release(metadata.org, { kind: 'plan_name', text: former.name }, stream);
  }
}
