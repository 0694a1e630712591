import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { toWireId, type Uuid } from '../kernel/ids.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Database } from '../platform/database/open-database.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { CHECKPOINT_COLUMNS, filesOf, type StoredCheckpoint } from './checkpoint-rows.js';

/** Number of checkpoints written at once after the directory was unavailable. */
const MAX_FILES = 1_000;

/**
 * Writes each checkpoint as a file into `AUDIT_DIRECTORY`, which may be a write-once mount, and never
 * overwrites one. A cosigned checkpoint is written again, under a name with the number of its cosignatures.
 */
@Injectable()
export class CheckpointFiles {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly database: Database,
  ) {}

  /**
   * Writes a checkpoint and earlier ones whose files are missing. It does not fail when the directory is
   * unavailable.
   */
  async write({ org, number }: { readonly org: Uuid; readonly number: string }): Promise<void> {
    const { auditDirectory } = this.config;
    if (auditDirectory === undefined) return;
    const folder = join(auditDirectory, toWireId('org', org));
    try {
      await mkdir(folder, { recursive: true });
      const { rows } = await this.database.pool.query<StoredCheckpoint>(
        `select ${CHECKPOINT_COLUMNS} from transparency_checkpoints c where c.org = $1 and c.number <= $2
          order by c.number desc limit ${MAX_FILES}`,
        [org, number],
      );
      for (const kept of rows) {
        const written = await Promise.all(
          filesOf(kept).map(({ name, text }) => writeNew(join(folder, name), text)),
        );
        if (written.every((isUnwritten) => !isUnwritten)) return;
      }
    } catch (err) {
      this.log.error(
        { err },
        'Checkpoints could not be written to AUDIT_DIRECTORY. The next checkpoint retries.',
      );
    }
  }
}

/** @returns false when the file exists */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
