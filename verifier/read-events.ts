import { upcastEvent, type EventMetadata, type RecordedEvent, orgOfStream } from '../src/kernel/event.js';
import { derivedId, isUuid, type Uuid } from '../src/kernel/ids.js';
import { UPCASTERS } from '../src/upcasters.js';
import { addGaps, type GapCount } from './evidence-gaps.js';
import { requireMembers, type Kind } from './json-members.js';
import type { Line } from './read-archive.js';
import { refusedAt, RefusedBundle } from './refused-bundle.js';

const MEMBERS: Readonly<Record<string, Kind>> = {
  data: 'object',
  id: 'string',
  metadata: 'object',
  revision: 'integer',
  stream: 'string',
  type: 'string',
};

const METADATA: Readonly<Record<string, Kind>> = {
  actor: 'string',
  commandId: 'string',
  correlationId: 'string',
  org: 'string',
  recordedAt: 'string',
  schemaVersion: 'integer',
};

/** Event as stored, and as today's code reads it. */
export interface ReadEvent {
  readonly stored: RecordedEvent;
  readonly lifted: RecordedEvent;
}

export type EventLine = Omit<RecordedEvent, 'revision' | 'position'> & { readonly revision: number };

/** @throws RefusedBundle */
export function eventLineOf({ value, location }: Line): EventLine {
  const line = requireMembers<EventLine>(value, location, MEMBERS);
  const kinds = 'causationId' in line.metadata ? { ...METADATA, causationId: 'string' as const } : METADATA;
  requireMembers<EventMetadata>(line.metadata, `${location}: metadata`, kinds);
  return line;
}

/** Reads the events of streams, which are in the order of their names. */
export class EventReader {
  /** Number of events of each command in the current stream. */
  #indexes = new Map<Uuid, number>();
  #stream = '';
  #revision = -1n;

  /** @param missing receives events that are missing between others of a stream */
  constructor(
    private readonly org: Uuid,
    private readonly missing: GapCount,
  ) {}

  /** @throws RefusedBundle for an event of another organization, order or command */
  read(line: EventLine, location: string): ReadEvent {
    const { stream, metadata } = line;
    if (orgOfStream(stream) !== this.org || metadata.org !== this.org) {
      throw new RefusedBundle(`${location}: the event is of another organization than the bundle`);
    }
    if (stream !== this.#stream) {
      if (stream < this.#stream)
        throw new RefusedBundle(`${location}: streams are not in the order of their names`);
      this.#stream = stream;
      this.#revision = -1n;
      this.#indexes = new Map();
    }
    const revision = BigInt(line.revision);
    if (this.#revision >= revision) {
      throw new RefusedBundle(`${location}: revision ${revision} of ${stream} comes after ${this.#revision}`);
    }
    const due = this.#revision + 1n;
    if (revision > due) addGaps(this.missing, { count: Number(revision - due), first: `${stream}@${due}` });
    this.#revision = revision;
    if (!isUuid(metadata.commandId)) throw new RefusedBundle(`${location}: metadata: commandId is no id`);
    if (metadata.schemaVersion === 0) throw new RefusedBundle(`${location}: metadata: schemaVersion is 0`);
    const index = this.#indexes.get(metadata.commandId) ?? 0;
    this.#indexes.set(metadata.commandId, index + 1);
    const id = derivedId(metadata.commandId, `${stream}#${index}`);
    if (id !== line.id)
      throw new RefusedBundle(`${location}: id stated ${line.id}, its command gives it ${id}`);
    const stored: RecordedEvent = { ...line, revision, position: { commit: 0n, prepare: 0n } };
    return { stored, lifted: refusedAt(location, () => upcastEvent(UPCASTERS, stored)) };
  }
}
