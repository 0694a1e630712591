import { Session } from 'node:inspector/promises';
import { StreamStateCache } from '../../src/platform/eventsourcing/command-runner/stream-state-cache.js';
import { UsageCounter } from '../../src/billing/runs/compute-run.js';
import { CLOCK, type Clock } from '../../src/platform/clock/clock.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { TestApp } from './app.js';

/** Everything one request makes the service do. */
export interface RequestCost {
  /** By stream: how often its state was asked of the log. */
  readonly loads: Readonly<Record<string, number>>;
  /** By stream: how often the event store was asked for its events. */
  readonly reads: Readonly<Record<string, number>>;
  readonly appends: readonly string[];
  readonly clockReads: number;
  readonly invoicesComputed: number;
  /** Files of `src` and `projections` of which a function ran, by their paths. */
  readonly files: readonly string[];
}

/**
 * Counts what a request costs; the service must do nothing else meanwhile, so it has the role `api` only. Files are those
 * that the process ran; all else is counted at the service's own parts, as a worker may still run another service.
 */
export async function costOf(app: TestApp, send: () => PromiseLike<unknown>): Promise<RequestCost> {
  const store = app.service.app.get<EventStore>(EVENT_STORE, { strict: false });
  const clock = app.service.app.get<Clock>(CLOCK, { strict: false });
  const [loads, reads, appends]: [string[], string[], string[]] = [[], [], []];
  let clockReads = 0;
  let invoicesComputed = 0;
  const undo = [
    around(
      StreamStateCache.of(store),
      'load',
      (stream: string, _: unknown, session: unknown) => session || loads.push(stream),
    ),
    around(store, 'readStream', (stream: string) => reads.push(stream)),
    around(store, 'append', (stream: string) => appends.push(stream)),
    around(clock, 'now', () => (clockReads += 1)),
    // Each computation counts its usage once.
    around(app.service.app.get(UsageCounter, { strict: false }), 'count', () => (invoicesComputed += 1)),
  ];
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
      loads: counted(loads),
      reads: counted(reads),
      appends,
      clockReads,
      invoicesComputed,
      files: ran.map(({ file }) => file).sort(),
    };
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
    for (const restore of undo) restore();
  }
}

/** Files that timers of the process run, beside any request. */
const OF_TIMERS = /\/(projections\/runtime|src\/transparency)\/|\/database-watchdog\.ts/;
const IS_OURS = /^file:.*?\/((?:src|projections)\/[^?]+\.ts)/;

function around<Target extends object>(
  target: Target,
  name: keyof Target,
  note: (...args: never[]) => void,
): () => void {
  const method = target[name] as (...args: unknown[]) => unknown;
  const isOwn = Object.hasOwn(target, name);
  target[name] = function (this: Target, ...args: unknown[]) {
    note(...(args as never[]));
    return method.apply(this, args);
  } as Target[typeof name];
  return () => {
    if (isOwn) target[name] = method as Target[typeof name];
    else delete target[name];
  };
}

/** By category and the position of the stream among those of it. */
function counted(streams: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const stream of streams) counts[stream] = (counts[stream] ?? 0) + 1;
  return counts;
}
