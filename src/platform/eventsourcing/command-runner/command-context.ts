import type { EventMetadata, RecordedEvent } from '../../../kernel/event.js';
import { derivedId, type Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { ClaimsToTake } from '../claims/claim.js';
import type { Clock } from '../../clock/clock.js';
import type { CommandSession } from './command-session.js';
import type { ResourceVersion } from './resource-version.js';

/** Caller, tenant and id of a command; every id a command creates derives from `commandId`. */
export interface CommandContext {
  readonly org: Uuid;
  readonly commandId: Uuid;
  /** Ties the request, its events and what follows from them together; it is the `X-Request-Id` of the answer. */
  readonly correlationId: string;
  /** The event this command follows from. */
  readonly causationId?: Uuid;
  /** When that happened, or fell due. */
  readonly causedAt?: Instant;
  /** Key id of the caller, or `system`. */
  readonly actor: string;
  /** When a repeated request came first (Idempotency-Key): its now, so that the repeat decides the same. */
  readonly receivedAt?: Instant;
  /** The command id was made for this very request: no event of another one can carry it or an id derived from it. */
  readonly isFirstDelivery?: boolean;
  /** Taken by the append of a new command, or the command conflicts; never by its repeat (`Claims.goWithAppends`). */
  readonly claims?: ClaimsToTake;
  /** Shares the time and the loaded streams with whatever else the command does, and with what follows its events. */
  readonly session?: CommandSession | undefined;
  /** The resource that the request is about, where it has versions (If-Match). */
  readonly resource?: ResourceVersion;
}

/**
 * Returns the context of a policy's command. It is the same whoever runs the policy, so that running it twice is running
 * it once. @param session of the command that appended the event, where the policy follows at once
 */
export function followingContext(
  event: RecordedEvent,
  role: string,
  session?: CommandSession,
): CommandContext {
  return {
    org: event.metadata.org,
    commandId: derivedId(event.id, role),
    correlationId: event.metadata.correlationId,
    causationId: event.id,
    causedAt: event.metadata.recordedAt,
    actor: event.metadata.actor,
    ...(session ? { session } : {}),
  };
}

/** Returns the time at which a command is decided; the clock is asked once in a session. */
export function commandTime({ org, receivedAt, session }: CommandContext, clock: Clock): Promise<Instant> {
  if (receivedAt) return Promise.resolve(receivedAt);
  return session ? session.now(() => clock.now(org)) : clock.now(org);
}

/** Returns the id that an event of a command gets: a repeat of the command gives it the same one. */
export const eventIdOf = ({ commandId }: CommandContext, stream: string, index: number): Uuid =>
  derivedId(commandId, `${stream}#${index}`);

/** A part of a command that writes to another stream, or a second time to the same one. */
export const withRole = (context: CommandContext, role: string): CommandContext => ({
  ...context,
  commandId: derivedId(context.commandId, role),
});

const SCHEMA_VERSION = 1;

export function metadataOf(context: CommandContext, recordedAt: Instant): EventMetadata {
  return {
    org: context.org,
    commandId: context.commandId,
    correlationId: context.correlationId,
    ...(context.causationId ? { causationId: context.causationId } : {}),
    actor: context.actor,
    recordedAt,
    schemaVersion: SCHEMA_VERSION,
  };
}
