import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { toWireId, type Uuid } from '../kernel/ids.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Database } from '../platform/database/open-database.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { TransparencyFaults } from './transparency-faults.js';
import { CHECKPOINT_COLUMNS, filesOf, type SignedCheckpoint } from './checkpoint-rows.js';

/**
 * Number of checkpoints written at once after the directory was unavailable. The checkpoints before them are written with
 * the next ones.
 */
const MAX_FILES = 1_000;

/**
 * Writes each checkpoint as a file into `AUDIT_DIRECTORY`, which may be a write-once mount, and never
 * overwrites one. A cosigned checkpoint is written again, under a name with the number of its cosignatures.
 */
@Injectable()
export class SignedCheckpointFiles {
  /** Organizations whose files were compared since the start. */
  readonly #compared = new Set<Uuid>();
  /** Newest checkpoint of those that may be missing before the ones that were written, by organization. */
  readonly #unwritten = new Map<Uuid, bigint>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly database: Database,
    private readonly faults: TransparencyFaults,
  ) {}

  /**
   * Writes a checkpoint and earlier ones whose files are missing or were cut. It does not fail when the directory is
   * unavailable or has another file of that name: readiness and `doctor` say so until the next checkpoint.
   */
  async write({ org, number }: { readonly org: Uuid; readonly number: string }): Promise<void> {
    const { auditDirectory } = this.config;
    if (auditDirectory === undefined) return;
    const folder = join(auditDirectory, toWireId('org', org));
    try {
      await mkdir(folder, { recursive: true });
      const earlier = this.#unwritten.get(org);
      const rest =
        (await this.writeFrom(org, folder, BigInt(number))) ??
        (earlier === undefined ? undefined : await this.writeFrom(org, folder, earlier));
      if (rest === undefined) this.#unwritten.delete(org);
      else this.#unwritten.set(org, rest);
      this.#compared.add(org);
    } catch (err) {
      // The next checkpoint writes the files that are missing behind a complete one.
      this.#compared.delete(org);
      const sentence = sentenceOf(err);
      this.log.error({ err }, sentence);
      await this.faults.set(org, sentence);
    }
  }

  /**
   * Writes missing files from a checkpoint back, until one was there.
   * @returns number of the next checkpoint whose file may be missing; undefined for none
   */
  private async writeFrom(org: Uuid, folder: string, newest: bigint): Promise<bigint | undefined> {
    const { rows } = await this.database.pool.query<SignedCheckpoint>(
      `select ${CHECKPOINT_COLUMNS} from transparency_checkpoints c where c.org = $1 and c.number <= $2
        order by c.number desc limit ${MAX_FILES}`,
      [org, newest],
    );
    let isLastMissing = false;
    for (const kept of rows) {
      const written = await Promise.all(
        filesOf(kept).map(({ name, text }) => writeMissing(join(folder, name), text)),
      );
      isLastMissing = written.some((isWritten) => isWritten);
      if (this.#compared.has(org) && !isLastMissing) return undefined;
    }
    return isLastMissing && rows.length === MAX_FILES ? BigInt(rows.at(-1)!.number) - 1n : undefined;
  }
}

/** Thrown for a file that is not the checkpoint of its name. */
class OtherFile extends Error {
  override readonly name = 'OtherFile';
}

/** Returns a sentence for readiness, which names no organization; the log has the file. */
const sentenceOf = (error: unknown): string =>
  error instanceof OtherFile
    ? 'A file in AUDIT_DIRECTORY is not the checkpoint of its name: the log names it. Move it away; the next checkpoint writes it anew.'
    : `Checkpoints could not be written to AUDIT_DIRECTORY (${(error as NodeJS.ErrnoException).code ?? (error as Error).name}). The next checkpoint retries.`;

/**
 * Writes a file that is missing, or that has only the beginning of its text: the process that wrote it died.
 * @returns false when the file was complete
 * @throws OtherFile
 */
async function writeMissing(file: string, text: string): Promise<boolean> {
  try {
    await writeNew(file, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const present = await readFile(file, 'utf8');
  if (present === text) return false;
  if (!text.startsWith(present)) throw new OtherFile(`${file} is not the checkpoint of its name.`);
  await writeFile(file, text);
  return true;
}

/** Writes a new file. One that cannot be written whole, as on a full disk, is removed. */
async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(text);
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(file, { force: true }).catch(() => {});
    throw error;
  }
}
