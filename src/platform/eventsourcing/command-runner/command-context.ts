import type { EventMetadata, RecordedEvent } from '../../../kernel/event.js';
import { derivedId, type Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { ClaimsToTake } from '../claims/claim.js';
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
  /** The resource that the request is about, where it has versions (If-Match). */
  readonly resource?: ResourceVersion;
}

/** The context of what must follow an event: the same whoever does it, so that doing it twice is doing it once. */
export function followingContext(event: RecordedEvent, role: string): CommandContext {
  return {
    org: event.metadata.org,
    commandId: derivedId(event.id, role),
    correlationId: event.metadata.correlationId,
    causationId: event.id,
    causedAt: event.metadata.recordedAt,
    actor: event.metadata.actor,
  };
}

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
