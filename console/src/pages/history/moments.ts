import type { AuditLogEntry } from '../../../../clients/typescript/src/index.js';
import { fromMicros, toMicros } from '../../shared/moment.js';

/** Instant at which events of a customer were recorded, with these events. */
export interface Moment {
  readonly at: string;
  /** In the order of the log. */
  readonly events: readonly AuditLogEntry[];
}

/** Events of the books that do not change the shown state. */
const BOOKKEEPING = new Set([
  'AccountCarriedForward',
  'InvoiceDocumentKept',
  'NothingDue',
  'UsagePeriodClosed',
]);

/**
 * Returns the moments of a log, the earliest first.
 * @param entries the newest first, as the API lists them
 */
export function momentsOf(entries: readonly AuditLogEntry[]): readonly Moment[] {
  const moments = new Map<string, AuditLogEntry[]>();
  for (const entry of [...entries].reverse()) {
    if (BOOKKEEPING.has(entry.event_type)) continue;
    moments.set(entry.recorded_at, [...(moments.get(entry.recorded_at) ?? []), entry]);
  }
  return [...moments].map(([at, events]) => ({ at, events })).sort((a, b) => compareInstants(a.at, b.at));
}

export function compareInstants(a: string, b: string): number {
  const [x, y] = [toMicros(a)!, toMicros(b)!];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Returns the last moment at this instant or before it. */
export const momentAt = (moments: readonly Moment[], at: string): Moment | undefined =>
  moments.findLast((moment) => compareInstants(moment.at, at) <= 0);

/** Returns the moment a number of events away from an instant, limited to the first and the last. */
export function momentAway(moments: readonly Moment[], at: string, steps: number): Moment | undefined {
  if (steps < 0)
    return moments.filter((moment) => compareInstants(moment.at, at) < 0).at(steps) ?? moments[0];
  return (
    moments.filter((moment) => compareInstants(moment.at, at) > 0)[steps - 1] ?? moments[moments.length - 1]
  );
}

/** Number of positions of a slider. */
export const SLIDER_POSITIONS = 1_000;
/** Distance within which the slider snaps to an event. */
const SNAP_DISTANCE = 6;

/** Returns the position of an instant between the first moment and the last. */
export function positionOf(moments: readonly Moment[], at: string): number {
  const [first, last] = [toMicros(moments[0]!.at)!, toMicros(moments.at(-1)!.at)!];
  if (first === last) return SLIDER_POSITIONS;
  const position = Number(((toMicros(at)! - first) * BigInt(SLIDER_POSITIONS)) / (last - first));
  return Math.min(Math.max(position, 0), SLIDER_POSITIONS);
}

/** Returns the instant at a position, or that of a near event. */
export function instantAtPosition(moments: readonly Moment[], position: number): string {
  const [first, last] = [toMicros(moments[0]!.at)!, toMicros(moments.at(-1)!.at)!];
  const near = moments
    .map(({ at }) => ({ at, distance: Math.abs(positionOf(moments, at) - position) }))
    .reduce((best, one) => (one.distance < best.distance ? one : best));
  if (near.distance <= SNAP_DISTANCE) return near.at;
  return fromMicros(first + ((last - first) * BigInt(position)) / BigInt(SLIDER_POSITIONS));
}
