import { DAY, instant, plusMicros, type Instant } from '../src/kernel/instant.js';
import { isMalformed, type LogEntry, type MalformedLine } from './access-log.js';

/** Part of the log that fits the usage window: at most 16 days of one month. */
export interface LogSlice {
  readonly from: Instant;
  readonly until: Instant;
  /** Midnight after the slice's last day with a request. At this time all of the slice is in the past. */
  readonly ingestAt: Instant;
}

export interface LogSurvey {
  readonly clients: readonly string[];
  readonly requests: number;
  readonly malformed: readonly MalformedLine[];
  readonly malformedCount: number;
  /** Slices in order of time, without empty ones. */
  readonly slices: readonly LogSlice[];
}

const REPORTED = 20;

/** Reads from the log in one pass its clients, their numbers of requests, and the slices of time (UTC). */
export async function survey(entries: AsyncIterable<LogEntry>): Promise<LogSurvey> {
  const clients = new Set<string>();
  const lastDays = new Map<string, string>();
  const malformed: MalformedLine[] = [];
  let malformedCount = 0;
  let requests = 0;
  for await (const entry of entries) {
    if (isMalformed(entry)) {
      malformedCount++;
      if (malformed.length < REPORTED) malformed.push(entry);
      continue;
    }
    requests++;
    clients.add(entry.client);
    const day = entry.time.slice(0, 10);
    const slice = sliceOf(day);
    if (day > (lastDays.get(slice) ?? '')) lastDays.set(slice, day);
  }
  const slices = [...lastDays]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([start, day]) => toSlice(start, day));
  return { clients: [...clients], requests, malformed, malformedCount, slices };
}

/** Returns the first midnight of the month after an instant's. */
export function startOfNextMonth(at: Instant): Instant {
  const [year, month] = at.split('-').map(Number) as [number, number];
  return month === 12 ? startOfMonth(year + 1, 1) : startOfMonth(year, month + 1);
}

export const startOfMonthOf = (at: Instant): Instant => instant(`${at.slice(0, 7)}-01`);

const startOfMonth = (year: number, month: number): Instant =>
  instant(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`);

/** Days 1 to 15 and 16 to the end: a month of 31 days does not fit a window of 30. */
const sliceOf = (day: string): string => `${day.slice(0, 8)}${Number(day.slice(8)) <= 15 ? '01' : '16'}`;

function toSlice(start: string, lastDay: string): LogSlice {
  const from = instant(start);
  const until = start.endsWith('-01') ? instant(`${start.slice(0, 8)}16`) : startOfNextMonth(from);
  return { from, until, ingestAt: plusMicros(instant(lastDay), DAY) };
}
