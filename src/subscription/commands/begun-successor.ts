import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { TermState } from '../domain/term-state.js';
import type { TermReader } from '../term-reader.js';

/** Tries while the stream of a successor has not begun: about two seconds. */
const BEGIN_RETRIES = 16;

/**
 * Loads the term that continues an ended one. Its stream begins right after the term has ended, by another command.
 * @returns undefined when no term continues it
 * @throws DomainError `conflict` while the stream has not begun
 */
export async function begunSuccessorOf(
  subscriptions: TermReader,
  runner: CommandRunner,
  org: Uuid,
  ended: Uuid,
): Promise<TermState | undefined> {
  const successor = (await subscriptions.load(org, ended))?.state.successor;
  return successor ? begunTerm(subscriptions, runner, org, successor) : undefined;
}

/** Loads a term that a renewal or a switch has decided. @throws DomainError `conflict` while its stream has not begun */
export async function begunTerm(
  subscriptions: TermReader,
  runner: CommandRunner,
  org: Uuid,
  id: Uuid,
): Promise<TermState> {
  for (let attempt = 0; attempt < BEGIN_RETRIES; attempt += 1) {
    const begun = await subscriptions.load(org, id);
    if (begun) return begun.state;
    await runner.pauseAfter(attempt);
  }
  throw new DomainError('conflict', 'A subscription is being renewed or switched by others. Try again.');
}
