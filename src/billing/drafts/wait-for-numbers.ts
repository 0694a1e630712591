import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../kernel/errors.js';
import type { CommandSession } from '../../platform/eventsourcing/command-runner/command-context.js';

/** About 1.3 seconds. */
const RETRIES = 7;
const FIRST_RETRY_MS = 10;

/**
 * Repeats a preview while it meets an invoice without a number, which another request is issuing: a preview writes
 * nothing, so it cannot issue the invoice itself.
 * @param session whose streams the preview reads
 * @throws DomainError `conflict` where the invoice still has no number
 */
export async function waitForNumbers<Preview>(
  preview: () => Promise<Preview>,
  session?: CommandSession,
): Promise<Preview> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await preview();
    } catch (error) {
      if (attempt === RETRIES || !(error instanceof DomainError && error.code === 'conflict')) throw error;
    }
    await sleep(FIRST_RETRY_MS * 2 ** attempt);
    session?.restart();
  }
}
