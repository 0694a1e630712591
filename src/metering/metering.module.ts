import { Module } from '@nestjs/common';
import { CustomerModule } from '../customer/customer.module.js';
import { BodyRules } from '../platform/http/body/body-limiter.js';
import { IngestUsageHandler } from './commands/ingest-usage.js';
import { TrackController } from './http/track.controller.js';
import { VerifyIdemsReceivedController } from './http/verify-idems-received.controller.js';
import { FindMissingIdsHandler } from './queries/find-missing-ids.js';
import { LateUsage } from './late-usage.js';
import { LiveUsageReader } from './live-usage-reader.js';
import { RequestedCounts } from './requested-counts.js';
import { CountedEvents } from './counted-events.js';
import { NewUsageReader } from './new-usage.js';
import { StoredEvents } from './stored-events.js';
import { UsageAuditor } from './usage-auditor.js';
import { UsageDays } from './usage-days.js';
import { UsageDaysWorker } from './usage-days-worker.js';
import { UsageEvidence } from './usage-evidence.js';
import { UsageLog } from './usage-log.js';
import { UsageReader } from './usage-reader.js';
import { UsageSealer } from './usage-sealer.js';
import { UsageSteps } from './usage-steps.js';

@Module({
  imports: [CustomerModule],
  controllers: [TrackController, VerifyIdemsReceivedController],
  providers: [
    CountedEvents,
    LateUsage,
    IngestUsageHandler,
    FindMissingIdsHandler,
    LiveUsageReader,
    NewUsageReader,
    RequestedCounts,
    StoredEvents,
    UsageAuditor,
    UsageDays,
    UsageDaysWorker,
    UsageEvidence,
    UsageLog,
    UsageReader,
    UsageSealer,
    UsageSteps,
  ],
  exports: [
    CountedEvents,
    LateUsage,
    LiveUsageReader,
    NewUsageReader,
    StoredEvents,
    UsageAuditor,
    UsageEvidence,
    UsageReader,
    UsageSealer,
    UsageSteps,
  ],
})
export class MeteringModule {
  /** A batch has up to 1,000 events, and each is refused by itself (`domain/usage-event.ts`). */
  constructor(bodies: BodyRules) {
    bodies.register('/api/track', {
      maxBytes: 5 * 1024 * 1024,
      maxEntryBytes: 256 * 1024,
      checksValues: false,
    });
  }
}
