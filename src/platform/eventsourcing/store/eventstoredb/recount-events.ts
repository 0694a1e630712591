import { type Position, orgOfStream } from '../../../../kernel/event.js';
import type { StoredEvent } from './read-call.js';

/** An event of the log that this service did not write. */
export interface ForeignEvent {
  readonly position: Position;
  readonly type: string;
  readonly stream: string;
}

/** The node writes its own events beside ours: statistics, links, stream metadata. */
const isSystemEvent = ({ streamId, type }: StoredEvent): boolean =>
  streamId.startsWith('$') || type.startsWith('$');

/** An event of ours is JSON, carries our metadata, and stands in a stream of the organization that this names. */
function isOwn({ streamId, isJson, data, metadata }: StoredEvent): boolean {
  if (!isJson || !isObject(data) || !isObject(metadata)) return false;
  const { org, commandId, recordedAt, schemaVersion } = metadata;
  const isComplete = typeof commandId === 'string' && typeof recordedAt === 'string';
  return isComplete && Number.isInteger(schemaVersion) && org === orgOfStream(streamId);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** So many are told apart; of more than that, those met again are told of again. */
const REMEMBERED = 10_000;

/**
 * Tells the events of this service from all others of the log: those of the node are passed over, and those that an
 * administrator or another application has added are told of, each once.
 */
export class RecountEvents {
  readonly #foreign = new Set<bigint>();

  constructor(private readonly onForeign: (event: ForeignEvent) => void = () => undefined) {}

  has(event: StoredEvent): boolean {
    if (isSystemEvent(event)) return false;
    if (isOwn(event)) return true;
    const { position, type, streamId: stream } = event;
    if (!this.#foreign.has(position.commit)) {
      if (this.#foreign.size === REMEMBERED) this.#foreign.clear();
      this.#foreign.add(position.commit);
      this.onForeign({ position, type, stream });
    }
    return false;
  }
}
