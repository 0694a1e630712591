import { Session } from 'node:inspector/promises';
import { jest } from '@jest/globals';
import { StreamStateCache } from '../../src/platform/eventsourcing/command-runner/stream-state-cache.js';
import { UsageCounter } from '../../src/billing/runs/compute-run.js';
import { CLOCK, type Clock } from '../../src/platform/clock/clock.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { TestApp } from './app.js';

export interface RequestCost {
  /** Loads of stream states, by stream. */
  readonly loads: Readonly<Record<string, number>>;
  /** Reads of the event store, by stream. */
  readonly reads: Readonly<Record<string, number>>;
  readonly appends: readonly string[];
  readonly clockReads: number;
  readonly invoicesComputed: number;
  /** Paths of files in `src` and `projections` of which a function ran. */
  readonly files: readonly string[];
}

/**
 * Measures the work of a request. The service must be otherwise idle, so it has the role `api` only. The profiler
 * covers the whole process, so all but `files` is counted at the service's own providers.
 */
export async function costOf(app: TestApp, send: () => PromiseLike<unknown>): Promise<RequestCost> {
  const store = app.service.app.get<EventStore>(EVENT_STORE, { strict: false });
  const clock = app.service.app.get<Clock>(CLOCK, { strict: false });
  const loads = jest.spyOn(StreamStateCache.of(store), 'load');
  const reads = jest.spyOn(store, 'readStream');
  const appends = jest.spyOn(store, 'append');
  const clockReads = jest.spyOn(clock, 'now');
  // Each computation of an invoice counts its usage once.
  const computations = jest.spyOn(app.service.app.get(UsageCounter, { strict: false }), 'count');
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await send();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = result
      .filter(({ url }) => IS_OURS.test(url) && !OF_TIMERS.test(url))
      .map(({ url, functions }) => ({
        file: IS_OURS.exec(url)![1]!,
        functions: functions.filter(
          ({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0,
        ),
      }))
      .filter(({ functions }) => functions.length > 0);
    return {
      loads: counted(loads.mock.calls.flatMap(([stream, , session]) => (session ? [] : [stream]))),
      reads: counted(reads.mock.calls.map(([stream]) => stream)),
      appends: appends.mock.calls.map(([stream]) => stream),
      clockReads: clockReads.mock.calls.length,
      invoicesComputed: computations.mock.calls.length,
      files: ran.map(({ file }) => file).sort(),
    };
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
    for (const spy of [loads, reads, appends, clockReads, computations]) spy.mockRestore();
  }
}

/** Files that timers run, independently of requests. */
const OF_TIMERS = /\/(projections\/runtime|src\/transparency)\/|\/database-watchdog\.ts/;
const IS_OURS = /^file:.*?\/((?:src|projections)\/[^?]+\.ts)/;

/** Counts occurrences by stream. */
function counted(streams: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const stream of streams) counts[stream] = (counts[stream] ?? 0) + 1;
  return counts;
}
