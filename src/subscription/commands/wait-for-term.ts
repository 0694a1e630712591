import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { TermState } from '../domain/term-state.js';
import type { TermReader } from '../term-reader.js';

/** Tries while the stream of a successor does not exist yet: about two seconds. */
const RETRIES = 16;

/**
 * Loads the successor of a term. Another command writes its stream right after the term has ended.
 * @returns undefined when the term has no successor
 * @throws DomainError `conflict` if the stream does not exist in time
 */
export async function waitForSuccessor(
  subscriptions: TermReader,
  runner: CommandRunner,
  org: Uuid,
  ended: Uuid,
): Promise<TermState | undefined> {
  const successor = (await subscriptions.load(org, ended))?.state.successor;
  return successor ? waitForTerm(subscriptions, runner, org, successor) : undefined;
}

/** Loads a term that a renewal or a switch has decided. @throws DomainError `conflict` if its stream does not exist in time */
export async function waitForTerm(
  subscriptions: TermReader,
  runner: CommandRunner,
  org: Uuid,
  id: Uuid,
): Promise<TermState> {
  for (let attempt = 0; attempt < RETRIES; attempt += 1) {
    const read = await subscriptions.load(org, id);
    if (read) return read.state;
    await runner.pauseAfter(attempt);
  }
  throw new DomainError('conflict', 'A subscription is being renewed or switched by others. Try again.');
}
