import { type Position, orgOfStream } from '../../../../kernel/event.js';
import type { NodeEvent } from './read-call.js';

/** An event of the log that this service did not write. */
export interface ForeignEvent {
  readonly position: Position;
  readonly type: string;
  readonly stream: string;
}

/** Returns whether the node wrote an event: statistics, links or stream metadata. */
const isSystemEvent = ({ streamId, type }: NodeEvent): boolean =>
  streamId.startsWith('$') || type.startsWith('$');

/** Returns whether this service wrote an event: JSON with complete metadata, in a stream of the metadata's organization. */
function isOfRecount({ streamId, isJson, data, metadata }: NodeEvent): boolean {
  if (!isJson || !isObject(data) || !isObject(metadata)) return false;
  const { org, commandId, recordedAt, schemaVersion } = metadata;
  const isComplete = typeof commandId === 'string' && typeof recordedAt === 'string';
  return isComplete && Number.isInteger(schemaVersion) && org === orgOfStream(streamId);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** Limit of foreign events in memory; above it, an event that is read again is reported again. */
const REMEMBERED = 10_000;

/**
 * Recognizes the events of this service. It ignores events of the node, and reports events of administrators and other
 * applications once.
 */
export class RecountEvents {
  readonly #foreign = new Set<bigint>();

  constructor(private readonly onForeign: (event: ForeignEvent) => void = () => undefined) {}

  has(event: NodeEvent): boolean {
    if (isSystemEvent(event)) return false;
    if (isOfRecount(event)) return true;
    const { position, type, streamId: stream } = event;
    if (!this.#foreign.has(position.commit)) {
      if (this.#foreign.size === REMEMBERED) this.#foreign.clear();
      this.#foreign.add(position.commit);
      this.onForeign({ position, type, stream });
    }
    return false;
  }
}
