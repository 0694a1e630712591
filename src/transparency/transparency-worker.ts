import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { BackgroundWork, repeat } from '../platform/concurrency/background-work.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Database, isStatementTimeout } from '../platform/database/open-database.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { Warnings } from '../platform/telemetry/warnings.js';
import type { CheckpointCause } from './checkpoint-rows.js';
import { SignedCheckpoints, preventsSigning } from './signed-checkpoints.js';
import { TransparencyFaults } from './transparency-faults.js';
import { Trees, type FollowedBatch } from './trees.js';

/** Pause after a batch that took in everything there was, and after one that found nothing. */
const PAUSE_MS = { busy: 250, idle: 1_000 };
const AFTER_FAILURE_MS = 10_000;
const SCHEDULE_EVERY_MS = 60_000;
const WARN_EVERY_MS = 5_000;
/** Longest delay of a checkpoint: runs of a sweep share one. */
const LATEST_SECONDS = 30;

/** Appends the log to the trees, and signs due checkpoints, in a process with the role `projections`. */
@Injectable()
export class TransparencyWorker implements OnApplicationBootstrap {
  /** Time of the machine's clock from which the schedule is checked. */
  #scheduledAt = performance.now() + SCHEDULE_EVERY_MS;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly background: BackgroundWork,
    private readonly database: Database,
    private readonly trees: Trees,
    private readonly checkpoints: SignedCheckpoints,
    private readonly faults: TransparencyFaults,
    private readonly warnings: Warnings,
  ) {}

  onApplicationBootstrap(): void {
    this.background.register('projections', (stopping) => this.run(stopping));
    this.background.register('any', (stopping) => this.warn(stopping));
  }

  private run(stopping: AbortSignal): Promise<void> {
    let hasFailed = true;
    const follow = async (): Promise<number> => {
      const { events, isLevel } = await this.work(stopping);
      if (hasFailed) {
        await this.checkpoints.requireKeys();
        await this.faults.clearAll();
      }
      hasFailed = false;
      if (!isLevel) return 0;
      return events > 0 ? PAUSE_MS.busy : PAUSE_MS.idle;
    };
    return repeat(stopping, follow, async (err) => {
      hasFailed = true;
      if (preventsSigning(err)) await this.faults.set(undefined, err.message).catch(() => undefined);
      this.log.error({ err }, 'The transparency log could not be extended. The worker retries.');
      return AFTER_FAILURE_MS;
    });
  }

  /** Reads the faults that any process recorded, for readiness. */
  private async warn(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await sleep(WARN_EVERY_MS, undefined, { signal: stopping }).catch(() => undefined);
      if (!stopping.aborted) await this.refreshWarnings().catch(() => undefined);
    }
  }

  async refreshWarnings(): Promise<void> {
    this.warnings.sentences = await this.faults.sentences();
  }

  private async work(stopping: AbortSignal): Promise<FollowedBatch> {
    const followed = await this.trees.follow();
    const { isLevel } = followed;
    for (const org of await this.billed(isLevel ? 0 : LATEST_SECONDS))
      await this.sign(org, 'billing', stopping);
    const now = performance.now();
    if (isLevel && now > this.#scheduledAt) {
      this.#scheduledAt = now + SCHEDULE_EVERY_MS;
      await this.checkpoints.requireKeys();
      for (const org of await this.due()) await this.sign(org, 'schedule', stopping);
    }
    return followed;
  }

  /** A fault of one organization does not delay the others. */
  private async sign(org: Uuid, cause: CheckpointCause, stopping: AbortSignal): Promise<void> {
    if (stopping.aborted) return;
    try {
      await this.checkpoints.sign(org, cause);
    } catch (err) {
      if (!preventsSigning(err) && !isStatementTimeout(err)) throw err;
      this.log.error({ err, org }, 'A checkpoint could not be signed.');
    }
  }

  /**
   * Returns organizations in which a billing run ended so many seconds ago, whichever process appended its
   * events.
   */
  private async billed(seconds: number): Promise<readonly Uuid[]> {
    const { rows } = await this.database.pool.query<{ org: Uuid }>({
      name: 'transparency-billed',
      text: BILLED,
      values: [seconds],
    });
    return rows.map(({ org }) => org);
  }

  /** Returns organizations with uncovered leaves whose newest checkpoint is old. */
  private async due(): Promise<readonly Uuid[]> {
    const { rows } = await this.database.pool.query<{ org: Uuid }>({
      name: 'transparency-due',
      text: DUE,
      values: [this.config.auditCheckpointMinutes],
    });
    return rows.map(({ org }) => org);
  }
}

/** The schedule retries failed signatures. */
const BILLED = `
select org from transparency_trees where billed_at <= now() - $1 * interval '1 second'
  and org not in (select org from transparency_faults) order by billed_at limit 1000`;

const DUE = `
select t.org from transparency_trees t
left join lateral (
  select size, noted_at from transparency_checkpoints c where c.org = t.org order by number desc limit 1
) newest on true
where t.org in (select org from transparency_faults)
  or (newest.size is null or newest.noted_at <= now() - $1 * interval '1 minute')
  and (newest.size is distinct from t.size or exists (
    select from usage_batches b where b.org = t.org and (b.sealed_number is null or b.sealed_number > t.batches)))
order by newest.noted_at nulls first limit 1000`;
