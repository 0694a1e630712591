import { Injectable, type OnModuleInit } from '@nestjs/common';
import { entityOf } from '../../kernel/stream.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { FollowUps, type FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import { CustomerReader } from '../customer-reader.js';
import { EmailClaims } from './email-claims.js';
import { SealedProfile } from './sealed-profile.js';

/** A customer that changed its e-mail address leaves the former one to others. */
@Injectable()
export class ReleaseFormerEmail implements FollowUp, OnModuleInit {
  readonly name = 'release-former-email';
  readonly on = ['CustomerDetailsChanged'];

  constructor(
    private readonly followUps: FollowUps,
    private readonly customers: CustomerReader,
    private readonly emails: EmailClaims,
    private readonly profiles: SealedProfile,
  ) {}

  onModuleInit(): void {
    this.followUps.register(this);
  }

  async follow(event: RecordedEvent): Promise<void> {
    const { org } = event.metadata;
    const customerKey = entityOf(event.stream);
    const former = await this.customers.load(org, customerKey, event.revision - 1n);
    const details = former && (await this.profiles.open(org, former.state));
    if (details?.personal.email) await this.emails.releaseUnheld(org, customerKey, [details.personal.email]);
  }
}
